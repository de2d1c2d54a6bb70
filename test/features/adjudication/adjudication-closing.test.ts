import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import * as ballots from '../../../src/features/adjudication/ballots.store.ts';
import { closeRounds } from '../../../src/features/adjudication/close-rounds.job.ts';
import * as cases from '../../../src/features/adjudication/store.ts';
import type { PortableAct } from '../../../src/features/adjudication/closing.store.ts';
import { broken, invariants } from '../../../src/cli/invariants.store.ts';
import { ADJUDICATION, CASES, HOUR, judges, RUBRIC } from './setup.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, type TestAgent, together } from '../../support/factories.ts';
import { RECORDS } from '../interactions/setup.ts';

const app = await startApp({ ...RECORDS, ...ADJUDICATION });
const f = factories(app);
const j = judges(f);
const { env } = app.app;
const { db } = env;

const pass = async (hours: number): Promise<void> => {
  app.clock.advance(hours * HOUR);
  await app.app.jobs.runDue();
};
const admin = (method: string, agent: TestAgent, what: string, body: object) =>
  f.ok(method, `/api/v1/admin/agents/${agent.id}/${what}`, { admin: true, body });
const group = (agent: TestAgent, operatorGroup: string) =>
  admin('PUT', agent, 'operator-group', { operatorGroup });
const receiptsOf = async (id: string) =>
  (
    await db.rows<{ kind: string }>(
      sql`SELECT kind FROM portable_events WHERE subject_id = ${id} ORDER BY id`,
    )
  ).map(({ kind }) => kind);

describe('closing', () => {
  it('[round.closes-once] three nodes that race close each of many rounds once, with one receipt', async () => {
    const nodes = [app, await app.another(), await app.another()];
    const opened = await together(60, () => j.opened());
    const voters = await j.voters(3);
    for (const { id } of opened.slice(0, 5)) for (const voter of voters) await j.vote(voter, id);
    app.clock.advance(72 * HOUR);
    const closed = await together(9, async (n) => {
      const { env: node } = (nodes[n % 3] as typeof app).app;
      let rounds = 0;
      while (await closeRounds(node)) rounds++;
      return rounds;
    });
    expect(closed.reduce((sum, rounds) => sum + rounds)).toBeGreaterThan(0);
    for (const [index, { id }] of opened.entries()) {
      expect(await receiptsOf(id)).toEqual(['case.opened', 'case.closed']);
      expect(await j.detail(id)).toMatchObject({
        version: 2,
        state: 'closed',
        result: index < 5 ? 'upheld' : 'inconclusive',
      });
    }
  });

  it('[round.closes-once] [ballot.last-second] whatever ballots race with it, those that were taken are in the record and no other', async () => {
    const second = factories(await app.another());
    const { id } = await j.opened();
    const voters = await j.voters(12);
    const keys = await Promise.all(voters.map((voter) => f.keyWith(voter, 'reviewer')));
    app.clock.advance(72 * HOUR - 1);
    const body = { verdict: 'rejected', rationale: 'In time?' };
    const votes = keys.map((key, n) =>
      (n % 2 ? f : second).send('POST', `${CASES}/${id}/ballots`, { key, body }),
    );
    // The clock goes on while they are on their way, and the job with it.
    await votes[0];
    app.clock.advance(1);
    const [answers] = await Promise.all([Promise.all(votes), closeRounds(env), closeRounds(env)]);
    await app.app.jobs.runDue();
    const taken = answers.flatMap(({ status }, n) => (status === 200 ? [voters[n]?.id] : []));
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(refused(409, 'state_conflict'));
    const [{ outcome, frozen }] = (await j.detail(id)).rounds;
    expect(outcome.ballots.map(({ voterId }: Loose) => voterId).sort()).toEqual(taken.sort());
    for (const { castAt } of outcome.ballots) expect(castAt < frozen.closesAt).toBe(true);
  });

  it('[ballot.last-second] of a node whose clock is behind that of the one that opened, a ballot counts from the opening', async () => {
    const { id } = await j.opened();
    const voters = await j.voters(1);
    app.clock.advance(-20);
    const { status, body } = await j.vote(voters[0] as TestAgent, id);
    app.clock.advance(20);
    const [{ frozen }] = (await j.detail(id)).rounds;
    expect([status, body.createdAt]).toEqual([200, frozen.opensAt]);
    await j.closeAll();
    expect((await j.detail(id)).rounds[0].outcome.ballots[0]).toMatchObject({
      castAt: frozen.opensAt,
      counted: true,
    });
  });

  it('[round.closes-once] waits for a ballot that is on its way, and counts it', async () => {
    const { id } = await j.opened();
    const [voter] = (await j.voters(1)) as [TestAgent];
    const later = { ...env, clock: () => env.clock() + 72 * HOUR };
    await db.transaction(async (tx) => {
      const round = (await ballots.shareNewest(tx, id)) as ballots.OpenRound;
      expect(await closeRounds(later)).toBe(false);
      const vote = {
        caseId: id,
        round: 1,
        voterId: voter.id,
        verdict: 'upheld',
        rationale: 'So.',
        evidenceIds: [],
        castAt: round.frozen.opensAt,
      } as const;
      await ballots.insert(tx, {
        ...vote,
        id: env.newId(),
        roundId: round.id,
        sha256: Buffer.alloc(32),
        receiptId: env.newId(),
      });
    });
    await j.closeAll();
    expect((await j.detail(id)).rounds[0].outcome.ballots).toHaveLength(1);
  });

  it('[round.downtime] what became due while no node ran is closed by the next one, though nobody looks', async () => {
    const { id } = await j.opened();
    const [voter, late] = (await j.voters(2)) as [TestAgent, TestAgent];
    await j.vote(voter, id);
    app.clock.advance(500 * HOUR);
    expect(await j.vote(late, id)).toMatchObject(
      refused(409, 'state_conflict', { state: 'closed' }),
    );
    const fresh = await app.another();
    await fresh.app.jobs.runDue();
    const [{ outcome, frozen }] = (await j.detail(id)).rounds;
    expect(Date.parse(outcome.closedAt) - Date.parse(frozen.closesAt)).toBe(428 * HOUR);
    expect(outcome.ballots).toHaveLength(1);
  });

  it('[round.closes-once] a failure in the midst leaves the round open and whole for the next try', async () => {
    const { id } = await j.opened();
    await db.run(
      sql`CREATE FUNCTION fail_now() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'now'; END $$`,
    );
    await db.run(
      sql`CREATE TRIGGER fail_now BEFORE INSERT ON portable_queue FOR EACH ROW EXECUTE FUNCTION fail_now()`,
    );
    await expect(j.closeAll()).rejects.toThrow('now');
    await db.run(sql`DROP FUNCTION fail_now CASCADE`);
    expect(await j.detail(id)).toMatchObject({ state: 'open', version: 1 });
    await j.closeAll();
    expect(await receiptsOf(id)).toEqual(['case.opened', 'case.closed']);
  });
});

describe('what is known when a round closes', () => {
  it('[ballot.closing-facts] [ballot.group-once] decides which ballots count; all are kept, with the reason', async () => {
    const { id, author } = await j.opened();
    const [plain, blocked, synthetic, revoked, related, first, second, other] = (await j.voters(
      8,
    )) as TestAgent[] as [
      TestAgent,
      ...[TestAgent, TestAgent, TestAgent, TestAgent, TestAgent, TestAgent, TestAgent],
    ];
    const all = [plain, blocked, synthetic, revoked, related, first, second, other];
    for (const voter of all) {
      expect((await j.vote(voter, id, voter === first ? 'rejected' : 'upheld')).status).toBe(200);
      app.clock.advance(1000);
    }
    await admin('PUT', blocked, 'block', { blocked: true });
    await admin('PUT', synthetic, 'synthetic', { synthetic: true });
    await f.grant(revoked, 'reviewer', 'revoked');
    for (const agent of [author, related]) await group(agent, 'Quincunx Ltd');
    for (const agent of [first, second]) await group(agent, 'Gnomon Inc');
    await pass(72);
    const detail = await j.detail(id);
    const { outcome } = detail.rounds[0];
    expect(outcome).toMatchObject({
      result: 'upheld',
      votes: { upheld: 2, rejected: 1, insufficientEvidence: 0, notCounted: 5 },
    });
    expect(
      outcome.ballots.map((one: Loose) => [
        one.voterId,
        one.counted,
        one.notCountedBecause,
        one.group,
      ]),
    ).toEqual([
      [plain.id, true, null, null],
      [blocked.id, false, 'blocked', null],
      [synthetic.id, false, 'synthetic', null],
      [revoked.id, false, 'reviewer_inactive', null],
      [related.id, false, 'related_operator', null],
      [first.id, true, null, 'g1'],
      [second.id, false, 'operator_counted', 'g1'],
      [other.id, true, null, null],
    ]);
    expect(JSON.stringify(detail)).not.toMatch(/Quincunx|Gnomon/);
  });

  it('[ballot.closing-facts] what becomes known afterwards changes nothing', async () => {
    const { id } = await j.opened();
    const voters = await j.voters(3);
    for (const voter of voters) await j.vote(voter, id);
    await pass(72);
    const before = await j.detail(id);
    for (const voter of voters) await admin('PUT', voter, 'block', { blocked: true });
    await pass(1);
    expect(await j.detail(id)).toEqual(before);
  });
});

describe('the case of a task', () => {
  /** As the operation of a task that submits work does it. */
  async function submitted(visibility: 'public' | 'private') {
    const [owner, submitter, invited] = (await j.voters(3)) as [TestAgent, TestAgent, TestAgent];
    const submissionId = env.newId();
    const acts: (PortableAct & { id: string })[] = [];
    const now = new Date(env.clock()).toISOString();
    const id = await db.transaction(async (tx) => {
      const record = (act: PortableAct) => {
        acts.push({ ...act, id: env.newId() });
        return acts.at(-1)?.id as string;
      };
      // What evidence is about, and what a new round holds.
      await tx.run(sql`WITH made AS (INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
          VALUES (${submissionId}, 'assignment', 1, 'submitted', ${submitter.id}, ${now}, ${now}))
        INSERT INTO record_revisions (record_id, version, author_id, state, content, at) VALUES (${submissionId}, 1, ${submitter.id}, 'submitted', '{}', ${now})`);
      return cases.openTaskCase(
        { tx, record, newId: env.newId, now },
        {
          ...{
            visibility,
            submitterId: submitter.id,
            ownerId: owner.id,
            readers: visibility === 'private' ? [invited.id] : [],
            question: 'Is it done?',
          },
          submission: {
            id: submissionId,
            version: 1,
            sha256: '0'.repeat(64),
            content: { answers: [{ criterionId: 'a', answer: 'Forty-two clavichords' }] },
          },
          ...{ rubric: RUBRIC, evidence: [] },
        },
      );
    });
    return { id, submissionId, owner, submitter, invited, acts };
  }

  it('[case.tasks] opens by itself, without an opener, and decides', async () => {
    const { id, submissionId, owner, submitter, acts } = await submitted('public');
    expect(acts).toMatchObject([
      {
        kind: 'case.opened',
        actorId: null,
        visibility: 'public',
        concerns: [submitter.id, owner.id],
      },
    ]);
    expect(await j.detail(id)).toMatchObject({
      openedBy: null,
      openedByHandle: null,
      subject: { type: 'task_submission', id: submissionId },
      state: 'open',
    });
    for (const party of [owner, submitter])
      expect(await j.vote(party, id)).toMatchObject(
        refused(422, 'not_eligible', { reason: 'party' }),
      );
    for (const voter of await j.voters(3)) await j.vote(voter, id, 'rejected');
    expect(await cases.decisionsOf(db, [submissionId])).toEqual([]);
    await pass(72);
    expect(await cases.decisionsOf(db, [submissionId, id])).toMatchObject([
      { submissionId, caseId: id, round: 1, result: 'rejected' },
    ]);
    const reopened = {
      subject: { type: 'task_submission', id: submissionId },
      expectedVersion: 1,
      question: 'Again?',
      rubric: RUBRIC,
    };
    expect(await j.tryOpen(owner, reopened)).toMatchObject(
      refused(409, 'state_conflict', { state: 'closed' }),
    );
    const { results } = await f.ok('GET', '/api/v1/search?q=done%20type:case');
    expect(results).toMatchObject([{ id, authorHandle: submitter.handle }]);
  });

  it('[case.tasks] of a private task is read by those whom it was made for alone, and voted on by them', async () => {
    const { id, submissionId, owner, submitter, invited } = await submitted('private');
    const [stranger] = (await j.voters(1)) as [TestAgent];
    for (const reader of [owner, submitter, invited]) {
      expect((await j.detail(id, reader)).rounds[0].frozen.subject.content).toEqual({
        answers: [{ criterionId: 'a', answer: 'Forty-two clavichords' }],
      });
      expect((await f.ok('GET', CASES, { key: reader.key })).map((row: Loose) => row.id)).toContain(
        id,
      );
    }
    expect(
      (await f.send('GET', `${CASES}/${id}`, { key: owner.key })).headers.get('cache-control'),
    ).toBe('private, no-store');
    for (const options of [{}, { admin: true }, { key: stranger.key }]) {
      expect(await f.send('GET', `${CASES}/${id}`, options)).toMatchObject(
        refused(404, 'not_found'),
      );
      expect((await f.send('GET', CASES, options)).text).not.toContain(id);
    }
    expect(await j.vote(stranger, id)).toMatchObject(refused(404, 'not_found'));
    expect(await j.round(stranger, id, [id])).toMatchObject(refused(404, 'not_found'));
    expect(
      await j.tryOpen(stranger, {
        subject: { type: 'task_submission', id: submissionId },
        expectedVersion: 1,
        question: 'Q',
        rubric: RUBRIC,
      }),
    ).toMatchObject(refused(404, 'not_found'));
    expect((await j.vote(invited, id)).status).toBe(200);
    await pass(72);
    const { rounds } = await j.detail(id, invited);
    expect(rounds[0].outcome.ballots).toHaveLength(1);
    const receipt = `/api/v1/portable-events/${rounds[0].closedReceiptId}`;
    expect((await f.send('GET', receipt)).status).toBe(404);
    expect(
      (await f.ok('GET', receipt, { key: await f.keyWith(owner, 'credentials') })).visibility,
    ).toBe('private');
    expect((await f.ok('GET', '/api/v1/search?q=clavichords', { key: owner.key })).results).toEqual(
      [],
    );
  });
});

it('[case.rights] while interactions are off none is put before the community; what is there is read and goes on', async () => {
  const { id, interactionId, author, opener } = await j.opened();
  const fresh = await j.more(author, interactionId);
  const other = await app.another({ INTERACTIONS_ENABLED: 'off', TRUST_ENABLED: 'off' });
  const there = factories(other);
  const key = await f.keyWith(opener, 'adjudication');
  const disabled = refused(403, 'capability_disabled', { capability: 'interactions' });
  expect(
    await there.send('POST', CASES, {
      key,
      body: {
        subject: { type: 'interaction', id: interactionId },
        expectedVersion: 2,
        question: 'Q',
        rubric: RUBRIC,
      },
    }),
  ).toMatchObject(disabled);
  expect((await there.ok('GET', `${CASES}/${id}`)).state).toBe('open');
  app.clock.advance(72 * HOUR);
  await other.app.jobs.runDue();
  expect((await there.ok('GET', `${CASES}/${id}`)).state).toBe('closed');
  expect(
    await there.send('POST', `${CASES}/${id}/rounds`, {
      key,
      body: { evidenceIds: [fresh], reason: 'So.' },
    }),
  ).toMatchObject(disabled);
});

it('[case.finding] a case says what its rounds say, and the doctor finds one that does not', async () => {
  const found = async () =>
    (
      await Promise.all(
        invariants.map(async (one) => ((await broken(db, one)).count > 0 ? [one.breaks] : [])),
      )
    ).flat();
  expect((await found()).filter((sentence) => sentence.startsWith('cases '))).toEqual([]);
  await db.run(
    sql`UPDATE adjudication_cases SET result = 'upheld' WHERE state = 'closed' AND result = 'inconclusive'`,
  );
  expect(await found()).toContain(
    'cases are in another state than their newest round, or have another result than their rounds',
  );
});
