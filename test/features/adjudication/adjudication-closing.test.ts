import { describe, expect, it } from 'vitest';
import { findBroken, invariants } from '../../../src/cli/doctor/invariants.store.ts';
import { sql } from '../../../src/db/sql.ts';
import { closeRounds } from '../../../src/features/adjudication/close-rounds.job.ts';
import * as findings from '../../../src/features/adjudication/findings.store.ts';
import * as ballots from '../../../src/features/adjudication/voting/ballots.store.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
} from '../../support/factories.ts';
import { whileLocked } from '../../support/locks.ts';
import { interactionSettings } from '../interactions/setup.ts';
import { taskSettings } from '../tasks/setup.ts';
import { adjudicationHelpers, adjudicationSettings, CASES, exampleRubric, HOUR } from './setup.ts';

// Jobs of other nodes would hold rounds that `runDue` then skips.
const app = await startApp(
  // All voters register at once, from one address.
  { ...interactionSettings, ...adjudicationSettings, ...taskSettings, LOAD_LIMITS: 'off' },
  { manualJobs: true },
);
const f = factories(app);
const j = adjudicationHelpers(f);
const { env } = app.app;
const { db } = env;

const advanceHours = async (hours: number): Promise<void> => {
  app.clock.advance(hours * HOUR);
  await app.app.jobs.runDue();
};
const callAdmin = (method: string, agent: TestAgent, what: string, body: object) =>
  f.ok(method, `/api/v1/admin/agents/${agent.id}/${what}`, { admin: true, body });
const setOperatorGroup = (agent: TestAgent, operatorGroup: string) =>
  callAdmin('PUT', agent, 'operator-group', { operatorGroup });
const listReceiptKinds = async (id: string) =>
  (
    await db.rows<{ kind: string }>(sql`
      SELECT kind
      FROM portable_events
      WHERE subject_id = ${id}
      ORDER BY id
    `)
  ).map(({ kind }) => kind);

it('[attack.62-2] (API4) a ballot that comes too late keeps no round from closing', async () => {
  const { id, opener, evidenceIds } = await j.createCase();
  const [voter] = (await j.createVoters(1)) as [TestAgent];
  app.clock.advance(73 * HOUR);
  const lock = sql`
    SELECT 1
    FROM adjudication_rounds r
    JOIN adjudication_cases k ON k.id = r.case_id
    WHERE k.id = ${id}
    FOR UPDATE
  `;
  await whileLocked(db, lock, async () => {
    for (const answer of [await j.castVote(voter, id), await j.openRound(opener, id, evidenceIds)])
      expect(answer).toMatchObject(buildProblem(409, 'state_conflict'));
  });
  await app.app.jobs.runDue();
});

describe('closeRounds', () => {
  it('[round.closes-once] closes each round once when three nodes race', async () => {
    const nodes = [app, await app.startNode(), await app.startNode()];
    const opened = await runConcurrently(60, () => j.createCase());
    const voters = await j.createVoters(3);
    for (const { id } of opened.slice(0, 5))
      for (const voter of voters) await j.castVote(voter, id);
    app.clock.advance(72 * HOUR);
    const closed = await runConcurrently(9, async (n) => {
      const { env: node } = (nodes[n % 3] as typeof app).app;
      let rounds = 0;
      while (await closeRounds(node)) rounds++;
      return rounds;
    });
    expect(closed.reduce((sum, rounds) => sum + rounds)).toBeGreaterThan(0);
    for (const [index, { id }] of opened.entries()) {
      expect(await listReceiptKinds(id)).toEqual(['case.opened', 'case.closed']);
      expect(await j.getCase(id)).toMatchObject({
        version: 2,
        state: 'closed',
        result: index < 5 ? 'upheld' : 'inconclusive',
      });
    }
  });

  it('[round.closes-once] [ballot.last-second] counts every ballot accepted', async () => {
    const second = factories(await app.startNode());
    const { id } = await j.createCase();
    const voters = await j.createVoters(12);
    const keys = await Promise.all(voters.map((voter) => f.getKeyWithScope(voter, 'reviewer')));
    app.clock.advance(72 * HOUR - 1);
    const body = { verdict: 'rejected', rationale: 'In time?' };
    const votes = keys.map((key, n) =>
      (n % 2 ? f : second).send('POST', `${CASES}/${id}/ballots`, { key, body }),
    );
    // The clock advances and the job runs while the ballots are on their way.
    await votes[0];
    app.clock.advance(1);
    const [answers] = await Promise.all([Promise.all(votes), closeRounds(env), closeRounds(env)]);
    await app.app.jobs.runDue();
    const taken = answers.flatMap(({ status }, n) => (status === 200 ? [voters[n]?.id] : []));
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(buildProblem(409, 'state_conflict'));
    const [{ outcome, frozen }] = (await j.getCase(id)).rounds;
    expect(outcome.ballots.map(({ voterId }: Json) => voterId).sort()).toEqual(taken.sort());
    for (const { castAt } of outcome.ballots) expect(castAt < frozen.closesAt).toBe(true);
  });

  it('[ballot.last-second] counts a ballot of a node with a slow clock', async () => {
    const { id } = await j.createCase();
    const voters = await j.createVoters(1);
    app.clock.advance(-20);
    const { status, body } = await j.castVote(voters[0] as TestAgent, id);
    app.clock.advance(20);
    const [{ frozen }] = (await j.getCase(id)).rounds;
    expect({ status, createdAt: body.createdAt }).toEqual({
      status: 200,
      createdAt: frozen.opensAt,
    });
    await j.closeDueCases();
    expect((await j.getCase(id)).rounds[0].outcome.ballots[0]).toMatchObject({
      castAt: frozen.opensAt,
      counted: true,
    });
  });

  it('[round.closes-once] waits for a ballot that is on its way and counts it', async () => {
    const { id } = await j.createCase();
    const [voter] = (await j.createVoters(1)) as [TestAgent];
    const later = { ...env, clock: () => env.clock() + 72 * HOUR };
    await db.transaction(async (tx) => {
      const round = (await ballots.lockNewestForShare(tx, id)) as ballots.OpenRound;
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
    await j.closeDueCases();
    expect((await j.getCase(id)).rounds[0].outcome.ballots).toHaveLength(1);
  });

  it('[round.downtime] closes rounds that became due while no node ran', async () => {
    const { id } = await j.createCase();
    const [voter, late] = (await j.createVoters(2)) as [TestAgent, TestAgent];
    await j.castVote(voter, id);
    app.clock.advance(500 * HOUR);
    expect(await j.castVote(late, id)).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'closed' }),
    );
    const fresh = await app.startNode();
    await fresh.app.jobs.runDue();
    const [{ outcome, frozen }] = (await j.getCase(id)).rounds;
    expect(Date.parse(outcome.closedAt) - Date.parse(frozen.closesAt)).toBe(428 * HOUR);
    expect(outcome.ballots).toHaveLength(1);
  });

  it('[round.closes-once] leaves the round open and whole when it fails midway', async () => {
    const { id } = await j.createCase();
    await db.run(
      sql`
        CREATE FUNCTION fail_now() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'now'; END $$
      `,
    );
    await db.run(sql`
      CREATE TRIGGER fail_now BEFORE
      INSERT ON portable_queue FOR EACH ROW EXECUTE FUNCTION fail_now()
    `);
    await expect(j.closeDueCases()).rejects.toThrow('now');
    await db.run(sql`DROP FUNCTION fail_now CASCADE`);
    expect(await j.getCase(id)).toMatchObject({ state: 'open', version: 1 });
    await j.closeDueCases();
    expect(await listReceiptKinds(id)).toEqual(['case.opened', 'case.closed']);
  });
});

describe('facts known when closeRounds runs', () => {
  it('[ballot.closing-facts] [ballot.group-once] decide which ballots count', async () => {
    const { id, author } = await j.createCase();
    const [plain, blocked, synthetic, revoked, related, first, second, other] =
      (await j.createVoters(8)) as TestAgent[] as [
        TestAgent,
        ...[TestAgent, TestAgent, TestAgent, TestAgent, TestAgent, TestAgent, TestAgent],
      ];
    const all = [plain, blocked, synthetic, revoked, related, first, second, other];
    for (const voter of all) {
      expect((await j.castVote(voter, id, voter === first ? 'rejected' : 'upheld')).status).toBe(
        200,
      );
      app.clock.advance(1000);
    }
    await callAdmin('PUT', blocked, 'block', { blocked: true });
    await callAdmin('PUT', synthetic, 'synthetic', { synthetic: true });
    await f.grantCapability(revoked, 'reviewer', 'revoked');
    for (const agent of [author, related]) await setOperatorGroup(agent, 'Quincunx Ltd');
    for (const agent of [first, second]) await setOperatorGroup(agent, 'Gnomon Inc');
    await advanceHours(72);
    const detail = await j.getCase(id);
    const { outcome } = detail.rounds[0];
    expect(outcome).toMatchObject({
      result: 'upheld',
      votes: { upheld: 2, rejected: 1, insufficientEvidence: 0, notCounted: 5 },
    });
    expect(
      outcome.ballots.map((one: Json) => [
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

  it('[ballot.closing-facts] are not changed by facts that become known later', async () => {
    const { id } = await j.createCase();
    const voters = await j.createVoters(3);
    for (const voter of voters) await j.castVote(voter, id);
    await advanceHours(72);
    const before = await j.getCase(id);
    for (const voter of voters) await callAdmin('PUT', voter, 'block', { blocked: true });
    await advanceHours(1);
    expect(await j.getCase(id)).toEqual(before);
  });
});

describe('the case of a task', () => {
  it('[case.tasks] opens by itself, without an opener, and decides the task', async () => {
    const { id, submissionId, owner, submitter, acts } = await j.createSubmission('public');
    expect(acts).toMatchObject([
      {
        kind: 'case.opened',
        actorId: null,
        visibility: 'public',
        concernedAgentIds: [submitter.id, owner.id],
      },
    ]);
    expect(await j.getCase(id)).toMatchObject({
      openedBy: null,
      openedByHandle: null,
      subject: { type: 'task_submission', id: submissionId },
      state: 'open',
    });
    for (const party of [owner, submitter])
      expect(await j.castVote(party, id)).toMatchObject(
        buildProblem(422, 'not_eligible', { reason: 'party' }),
      );
    for (const voter of await j.createVoters(3)) await j.castVote(voter, id, 'rejected');
    expect(await findings.listDecisions(db, [submissionId])).toEqual([]);
    await advanceHours(72);
    expect(await findings.listDecisions(db, [submissionId, id])).toMatchObject([
      { submissionId, caseId: id, round: 1, result: 'rejected' },
    ]);
    const reopened = {
      subject: { type: 'task_submission', id: submissionId },
      expectedVersion: 1,
      question: 'Again?',
      rubric: exampleRubric,
    };
    expect(await j.tryOpenCase(owner, reopened)).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'closed' }),
    );
    const { results } = await f.ok('GET', '/api/v1/search?q=done%20type:case');
    expect(results).toMatchObject([{ id, authorHandle: submitter.handle }]);
  });

  it('[case.tasks] is read and voted on only by invitees if the task is private', async () => {
    const { id, submissionId, owner, submitter, invited } = await j.createSubmission('private');
    const [stranger] = (await j.createVoters(1)) as [TestAgent];
    for (const reader of [owner, submitter, invited]) {
      expect((await j.getCase(id, reader)).rounds[0].frozen.subject.content).toEqual({
        answers: [{ criterionId: 'a', answer: 'Forty-two clavichords' }],
      });
      const key = await f.getKeyWithScope(reader, 'adjudication');
      expect((await f.ok('GET', CASES, { key })).map((row: Json) => row.id)).toContain(id);
    }
    const ownersKey = await f.getKeyWithScope(owner, 'adjudication');
    expect(
      (await f.send('GET', `${CASES}/${id}`, { key: ownersKey })).headers.get('cache-control'),
    ).toBe('private, no-store');
    for (const options of [{}, { admin: true }, { key: stranger.key }]) {
      expect(await f.send('GET', `${CASES}/${id}`, options)).toMatchObject(
        buildProblem(404, 'not_found'),
      );
      expect((await f.send('GET', CASES, options)).text).not.toContain(id);
    }
    expect(await j.castVote(stranger, id)).toMatchObject(buildProblem(404, 'not_found'));
    expect(await j.openRound(stranger, id, [id])).toMatchObject(buildProblem(404, 'not_found'));
    expect(
      await j.tryOpenCase(stranger, {
        subject: { type: 'task_submission', id: submissionId },
        expectedVersion: 1,
        question: 'Q',
        rubric: exampleRubric,
      }),
    ).toMatchObject(buildProblem(404, 'not_found'));
    expect((await j.castVote(invited, id)).status).toBe(200);
    await advanceHours(72);
    const { rounds } = await j.getCase(id, invited);
    expect(rounds[0].outcome.ballots).toHaveLength(1);
    const receipt = `/api/v1/portable-events/${rounds[0].closedReceiptId}`;
    expect((await f.send('GET', receipt)).status).toBe(404);
    expect(
      (await f.ok('GET', receipt, { key: await f.getKeyWithScope(owner, 'credentials') }))
        .visibility,
    ).toBe('private');
    expect((await f.ok('GET', '/api/v1/search?q=clavichords', { key: owner.key })).results).toEqual(
      [],
    );
  });
});

it('[case.rights] cannot be opened while interactions are off, but goes on if open', async () => {
  const { id, interactionId, author, opener } = await j.createCase();
  const fresh = await j.addEvidence(author, interactionId);
  const other = await app.startNode({ INTERACTIONS_ENABLED: 'off', TRUST_ENABLED: 'off' });
  const there = factories(other);
  const key = await f.getKeyWithScope(opener, 'adjudication');
  const disabled = buildProblem(403, 'capability_disabled', { capability: 'interactions' });
  expect(
    await there.send('POST', CASES, {
      key,
      body: {
        subject: { type: 'interaction', id: interactionId },
        expectedVersion: 2,
        question: 'Q',
        rubric: exampleRubric,
      },
    }),
  ).toMatchObject(disabled);
  expect(await there.send('GET', `${CASES}/${id}`)).toMatchObject(disabled);
  app.clock.advance(72 * HOUR);
  await other.app.jobs.runDue();
  expect((await j.getCase(id)).state).toBe('closed');
  expect(
    await there.send('POST', `${CASES}/${id}/rounds`, {
      key,
      body: { evidenceIds: [fresh], reason: 'So.', expectedVersion: 2 },
    }),
  ).toMatchObject(disabled);
});

it('[case.finding] states what its rounds state, and doctor finds one that does not', async () => {
  const countBroken = async () =>
    (
      await Promise.all(
        invariants.map(async (one) => ((await findBroken(db, one)).count > 0 ? [one.breaks] : [])),
      )
    ).flat();
  expect((await countBroken()).filter((sentence) => sentence.startsWith('cases '))).toEqual([]);
  await db.run(sql`
    UPDATE adjudication_cases
    SET result = 'upheld'
    WHERE state = 'closed' AND result = 'inconclusive'
  `);
  expect(await countBroken()).toContain(
    'cases are in another state than their newest round, or have another result than their rounds',
  );
});
