import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { sha256 } from '../../../src/kernel/crypto/credentials.ts';
import { ADJUDICATION, asked, CASES, HOUR, judges, RUBRIC, statement } from './setup.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, type TestAgent, together } from '../../support/factories.ts';
import { RECORDS } from '../interactions/setup.ts';

const app = await startApp({ ...RECORDS, ...ADJUDICATION });
const f = factories(app);
const j = judges(f);
const { r } = j;
const { db } = app.app.env;

const digest = (value: unknown): string => sha256(canonicalize(value) ?? '').toString('hex');
const plus = (time: string, hours: number): string =>
  new Date(Date.parse(time) + hours * HOUR).toISOString();
const pass = async (hours: number): Promise<void> => {
  app.clock.advance(hours * HOUR);
  await app.app.jobs.runDue();
};
const receipt = (id: string) => f.ok('GET', `/e/${id}.json`);

/** A case with these verdicts, each by an agent of its own. */
async function voted(verdicts: readonly string[]) {
  const made = await j.opened();
  const voters = await j.voters(verdicts.length);
  for (const [index, voter] of voters.entries())
    expect((await j.vote(voter, made.id, verdicts[index])).status).toBe(200);
  return { ...made, voters };
}

describe('opening a case', () => {
  it('[case.open] [case.frozen] freezes question, rubric, evidence and the version of the subject for 72 hours', async () => {
    const { author, target, opener, interactionId, evidenceIds, case: made, id } = await j.opened();
    const now = made.createdAt;
    expect(made).toEqual({
      ...{
        id,
        version: 1,
        state: 'open',
        subject: { type: 'interaction', id: interactionId, version: 1 },
        question: 'Was it delivered as recorded?',
      },
      ...{
        visibility: 'public',
        openedBy: opener.id,
        openedByHandle: opener.handle,
        round: 1,
        result: null,
      },
      ...{
        opensAt: now,
        closesAt: plus(now, 72),
        createdAt: now,
        updatedAt: now,
        receiptId: expect.any(String),
      },
    });
    const detail = await j.detail(id);
    const { revisions, evidence } = await r.detail(null, interactionId);
    const [{ version, state, content }] = revisions;
    expect(detail.rounds).toEqual([
      {
        ...{
          number: 1,
          state: 'open',
          outcome: null,
          recordSha256: null,
          closedReceiptId: null,
          openedReceiptId: made.receiptId,
        },
        frozenSha256: digest(detail.rounds[0].frozen),
        frozen: {
          ...{
            v: 1,
            method: 'stoa-adjudication/1',
            caseId: id,
            round: 1,
            question: made.question,
            rubric: RUBRIC,
            openedBy: opener.id,
            reason: null,
          },
          subject: {
            type: 'interaction',
            id: interactionId,
            version: 1,
            sha256: digest({ version, state, content }),
            content: null,
          },
          evidence: [
            {
              id: evidenceIds[0],
              version: 1,
              kind: 'statement',
              submittedBy: author.id,
              sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
            },
          ],
          parties: [author.id, target.id, opener.id].sort(),
          ...{ opensAt: now, closesAt: plus(now, 72) },
        },
      },
    ]);
    const { interactionId: _, ...piece } = evidence[0];
    expect(detail).toMatchObject({ rubric: RUBRIC, evidence: [piece] });
    expect(detail.parties.map(({ handle }: Loose) => handle).sort()).toEqual(
      [author.handle, target.handle, opener.handle].sort(),
    );
    expect((await receipt(made.receiptId)).receipt.payload).toMatchObject({
      ...{
        kind: 'case.opened',
        contentSha256: detail.rounds[0].frozenSha256,
        subject: { type: 'case', id },
        actor: { id: opener.id },
      },
    });
  });

  it('[case.frozen] nothing that is said, submitted or withdrawn later changes it', async () => {
    const { author, interactionId, evidenceIds, id } = await j.opened();
    const before = await j.detail(id);
    await r.revise(author, interactionId, { expectedVersion: 1, summary: 'Something else.' });
    await r.submit(author, interactionId, { expectedVersion: 2, ...statement });
    await r.withdraw(author, evidenceIds[0] as string);
    await r.revise(author, interactionId, { expectedVersion: 4, state: 'withdrawn' });
    const { evidence, ...after } = await j.detail(id);
    expect(after).toEqual({ ...before, evidence: undefined });
    expect(evidence).toMatchObject([{ id: evidenceIds[0], state: 'withdrawn' }]);
    expect(
      (await j.vote((await j.voters(1))[0] as TestAgent, id, 'upheld', { evidenceIds })).status,
    ).toBe(200);
  });

  it('[case.open] takes the evidence that is named, if some is, of this interaction and not withdrawn', async () => {
    const [author, opener] = [await f.agent(), await f.agent()];
    const { id, evidenceIds } = await r.record(
      author,
      { agent: opener.handle },
      { evidence: [statement, statement, statement] },
    );
    const [first, second, third] = evidenceIds as string[];
    await r.withdraw(author, third as string);
    const other = await r.record(author, { agent: opener.handle }, { evidence: [statement] });
    for (const wrong of [third, other.evidenceIds[0], opener.id])
      expect(
        await j.tryOpen(opener, asked(id, { expectedVersion: 2, evidenceIds: [first, wrong] })),
      ).toMatchObject(refused(404, 'not_found'));
    const made = await j.open(opener, id, { expectedVersion: 2, evidenceIds: [second] });
    expect(
      (await j.detail(made.id)).rounds[0].frozen.evidence.map((piece: Loose) => piece.id),
    ).toEqual([second]);
    expect(
      await j.vote((await j.voters(1))[0] as TestAgent, made.id, 'upheld', {
        evidenceIds: [first],
      }),
    ).toMatchObject(refused(400, 'invalid_request'));
  });

  it('[case.subject] only what is public, stands, and is an interaction', async () => {
    const [author, target, stranger] = (await together(3, () => f.agent())) as [
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const hidden = await r.record(author, { agent: target.handle }, { visibility: 'private' });
    expect(await j.tryOpen(target, asked(hidden.id))).toMatchObject(refused(403, 'forbidden'));
    expect(await j.tryOpen(stranger, asked(hidden.id))).toMatchObject(refused(404, 'not_found'));
    const { id } = await r.record(author, { agent: target.handle });
    await r.revise(author, id, { expectedVersion: 1, state: 'withdrawn' });
    expect(await j.tryOpen(stranger, asked(id, { expectedVersion: 2 }))).toMatchObject(
      refused(409, 'state_conflict', { state: 'withdrawn' }),
    );
    const submission = { subject: { type: 'task_submission', id } };
    expect(await j.tryOpen(stranger, asked(id, submission))).toMatchObject(
      refused(404, 'not_found'),
    );
    expect(
      await db.first(
        sql`SELECT count(*) AS count FROM adjudication_cases WHERE subject_id IN (${id}, ${hidden.id})`,
      ),
    ).toEqual({ count: 0 });
  });

  it('[case.version] a wrong version opens nothing', async () => {
    const [author, opener] = [await f.agent(), await f.agent()];
    const { id } = await r.record(author, { agent: opener.handle });
    for (const expectedVersion of [2, 100])
      expect(await j.tryOpen(opener, asked(id, { expectedVersion }))).toMatchObject(
        refused(409, 'version_conflict', { currentVersion: 1 }),
      );
    expect((await r.detail(null, id)).cases).toEqual([]);
  });

  it('[case.open] refuses what is no case', async () => {
    const [author, opener] = [await f.agent(), await f.agent()];
    const { id } = await r.record(author, { agent: opener.handle });
    const criterion = (name: string) => ({ id: name, text: 'So.' });
    const many = Array.from({ length: 11 }, (_, index) => criterion(`c${index}`));
    for (const more of [
      ...[
        { rubric: [] },
        { rubric: many },
        { rubric: [criterion('a'), criterion('a')] },
        { rubric: [criterion('A B')] },
        { rubric: [{ id: 'a', text: '' }] },
      ],
      ...[
        { question: '' },
        { question: 'x'.repeat(2001) },
        { subject: { type: 'thread', id } },
        { expectedVersion: 0 },
        { evidenceIds: ['x'] },
        { more: 1 },
      ],
    ])
      expect(await j.tryOpen(opener, asked(id, more)), JSON.stringify(more)).toMatchObject(
        refused(400, 'invalid_request'),
      );
    expect(
      (await j.tryOpen(opener, asked(id, { rubric: many.slice(1), question: '𝒳'.repeat(2000) })))
        .status,
    ).toBe(200);
  });

  it('[case.one-open] of many at once, on two nodes, one opens', async () => {
    const second = factories(await app.another());
    const [author, target] = [await f.agent(), await f.agent()];
    const { id } = await r.record(author, { agent: target.handle });
    const keys = await together(6, async () => f.keyWith(await f.agent(), 'adjudication'));
    const answers = await together(6, (n) =>
      (n % 2 ? f : second).send('POST', CASES, { key: keys[n], body: asked(id) }),
    );
    const [made, ...others] = answers.toSorted((a, b) => a.status - b.status);
    expect(made?.status).toBe(200);
    for (const other of others)
      expect(other).toMatchObject(refused(409, 'already_exists', { existingId: made?.body.id }));
    expect((await r.detail(null, id)).cases).toHaveLength(1);
  });

  it('[case.rights] needs adjudication, voting needs reviewer, reading nothing', async () => {
    const { id } = await j.opened();
    const agent = await f.agent();
    const other = { key: await f.keyWith(agent, 'reviewer') };
    expect(await f.send('POST', CASES, { ...other, body: asked(id) })).toMatchObject(
      refused(403, 'insufficient_scope', { requiredScope: 'adjudication' }),
    );
    const key = await f.keyWith(agent, 'adjudication');
    const vote = { body: { verdict: 'upheld', rationale: 'So.' } };
    expect(await f.send('POST', `${CASES}/${id}/ballots`, { key, ...vote })).toMatchObject(
      refused(403, 'insufficient_scope', { requiredScope: 'reviewer' }),
    );
    await f.grant(agent, 'reviewer', 'revoked');
    expect(await f.send('POST', `${CASES}/${id}/ballots`, { ...other, ...vote })).toMatchObject(
      refused(403, 'capability_revoked'),
    );
    expect((await f.send('GET', `${CASES}/${id}`)).status).toBe(200);
  });
});

describe('ballots', () => {
  it('[ballot.cast] [ballot.once] one for each voter, for good', async () => {
    const { id, case: made } = await j.opened();
    const [voter] = (await j.voters(1)) as [TestAgent];
    const { body } = await j.vote(voter, id, 'rejected', { rationale: 'No.' });
    const vote = {
      caseId: id,
      round: 1,
      voterId: voter.id,
      verdict: 'rejected',
      rationale: 'No.',
      evidenceIds: [],
      castAt: made.createdAt,
    };
    expect(body).toEqual({
      ...{
        id: expect.any(String),
        caseId: id,
        round: 1,
        sha256: digest(vote),
        receiptId: expect.any(String),
        closesAt: made.closesAt,
        createdAt: made.createdAt,
      },
    });
    const answers = await together(4, () => j.vote(voter, id, 'upheld'));
    for (const answer of answers)
      expect(answer).toMatchObject(refused(409, 'already_exists', { existingId: body.id }));
    const [racer] = (await j.voters(1)) as [TestAgent];
    const raced = await together(5, () => j.vote(racer, id, 'upheld'));
    expect(raced.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const statement of [
      sql`UPDATE adjudication_ballots SET verdict = 'upheld' WHERE id = ${body.id}`,
      sql`DELETE FROM adjudication_ballots WHERE id = ${body.id}`,
    ])
      await expect(db.run(statement)).rejects.toThrow('a ballot never changes');
  });

  it('[ballot.cast] refuses what is none', async () => {
    const { id, evidenceIds } = await j.opened();
    const [voter] = (await j.voters(1)) as [TestAgent];
    const bad = [
      { verdict: 'maybe' },
      { rationale: '' },
      { rationale: 'x'.repeat(4001) },
      { evidenceIds: [voter.id] },
      { verdict: null },
      { rationale: 'a\0' },
      { round: 1 },
    ];
    for (const more of bad)
      expect(await j.vote(voter, id, 'upheld', more), JSON.stringify(more)).toMatchObject(
        refused(400, 'invalid_request'),
      );
    expect(
      (
        await j.vote(voter, id, 'insufficient_evidence', {
          rationale: '𝒳'.repeat(4000),
          evidenceIds,
        })
      ).status,
    ).toBe(200);
  });

  it('[ballot.eligible] not of parties, the young, the synthetic, the related, the blocked', async () => {
    const [related, synthetic, blocked, plain, ...aged] = (await j.voters(7)) as TestAgent[] as [
      TestAgent,
      TestAgent,
      TestAgent,
      TestAgent,
      ...TestAgent[],
    ];
    const [author, target, opener] = aged as [TestAgent, TestAgent, TestAgent];
    const young = await f.agent();
    const { id: interactionId } = await r.record(author, { agent: target.handle });
    const { id } = await j.open(opener, interactionId);
    const group = (agent: TestAgent, operatorGroup: string) =>
      f.ok('PUT', `/api/v1/admin/agents/${agent.id}/operator-group`, {
        admin: true,
        body: { operatorGroup },
      });
    for (const agent of [target, related]) await group(agent, 'Related Ltd');
    await group(plain, 'Unrelated Ltd');
    await f.ok('PUT', `/api/v1/admin/agents/${synthetic.id}/synthetic`, {
      admin: true,
      body: { synthetic: true },
    });
    const reasons: [TestAgent, string][] = [
      ...[author, target, opener].map((agent): [TestAgent, string] => [agent, 'party']),
      ...([
        [young, 'registered_too_late'],
        [synthetic, 'synthetic'],
        [related, 'related_operator'],
      ] as [TestAgent, string][]),
    ];
    for (const [agent, reason] of reasons)
      expect(await j.vote(agent, id), reason).toMatchObject(
        refused(422, 'not_eligible', { reason }),
      );
    const key = await f.keyWith(blocked, 'reviewer');
    await f.ok('PUT', `/api/v1/admin/agents/${blocked.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    expect(
      await f.send('POST', `${CASES}/${id}/ballots`, {
        key,
        body: { verdict: 'upheld', rationale: 'So.' },
      }),
    ).toMatchObject(refused(403, 'agent_blocked'));
    expect((await j.vote(plain, id)).status).toBe(200);
    // PostgreSQL itself takes no ballot of a party.
    await expect(
      db.run(sql`INSERT INTO adjudication_ballots SELECT gen_random_uuid(), round_id, ${author.id}, verdict, rationale, evidence_ids, sha256, gen_random_uuid(), cast_at
        FROM adjudication_ballots WHERE voter_id = ${plain.id}`),
    ).rejects.toThrow('takes no ballot');
  });

  it('[ballot.receipt] has a receipt that its voter alone reads', async () => {
    const { id, voters } = await voted(['upheld']);
    const [voter] = voters as [TestAgent];
    await app.app.jobs.runDue();
    await f.grant(voter, 'credentials');
    const { apiKey } = await f.scopedKey(voter, ['forum', 'credentials']);
    const [event] = (await f.ok('GET', '/api/v1/me/events', { key: apiKey })).events.filter(
      ({ kind }: Loose) => kind === 'ballot.cast',
    );
    for (const when of ['before', 'after']) {
      if (when === 'after') await pass(72);
      const mine = await f.ok('GET', `/api/v1/portable-events/${event.id}`, { key: apiKey });
      const [ballot] = (await j.detail(id)).rounds[0].outcome?.ballots ?? [
        { sha256: mine.receipt.payload.contentSha256 },
      ];
      expect(mine).toMatchObject({
        visibility: 'private',
        receipt: { payload: { kind: 'ballot.cast', contentSha256: ballot.sha256 } },
      });
      for (const options of [
        {},
        { admin: true },
        { key: await f.keyWith(await f.agent(), 'credentials') },
      ])
        expect(await f.send('GET', `/api/v1/portable-events/${event.id}`, options)).toMatchObject(
          refused(404, 'not_found'),
        );
    }
  });
});

describe('closing a round', () => {
  it('[round.result] [ballot.public] [case.finding] [case.receipts] [case.search] tells who voted, why, and what came of it', async () => {
    const { id, interactionId, voters, author, target } = await voted([
      'upheld',
      'rejected',
      'upheld',
      'insufficient_evidence',
    ]);
    const opened = (await j.detail(id)).rounds[0];
    expect(opened.outcome).toBeNull();
    app.clock.advance(72 * HOUR - 1);
    await app.app.jobs.runDue();
    expect(await j.detail(id)).toMatchObject({
      state: 'open',
      result: null,
      rounds: [{ outcome: null }],
    });
    app.clock.advance(1);
    await app.app.jobs.runDue();
    const detail = await j.detail(id);
    expect(detail).toMatchObject({ version: 2, state: 'closed', result: 'upheld', round: 1 });
    const [{ frozen, outcome, recordSha256, closedReceiptId }] = detail.rounds;
    expect(frozen).toEqual(opened.frozen);
    expect(outcome).toMatchObject({
      closedAt: frozen.closesAt,
      result: 'upheld',
      votes: { upheld: 2, rejected: 1, insufficientEvidence: 1, notCounted: 0 },
    });
    expect(
      outcome.ballots.map(({ voterHandle, verdict, rationale, counted }: Loose) => [
        voterHandle,
        verdict,
        rationale,
        counted,
      ]),
    ).toEqual([
      [voters[0]?.handle, 'upheld', 'I say upheld.', true],
      [voters[1]?.handle, 'rejected', 'I say rejected.', true],
      [voters[2]?.handle, 'upheld', 'I say upheld.', true],
      [voters[3]?.handle, 'insufficient_evidence', 'I say insufficient_evidence.', true],
    ]);
    expect(recordSha256).toBe(digest({ frozen, outcome }));
    expect((await receipt(closedReceiptId)).receipt.payload).toMatchObject({
      kind: 'case.closed',
      contentSha256: recordSha256,
      actor: null,
    });
    expect((await f.send('GET', `/e/${closedReceiptId}`)).text).toContain(
      'The service of the installation',
    );
    expect((await receipt(closedReceiptId)).summary).toBe(
      'The service closed the case "Was it delivered as recorded?"',
    );
    expect(await r.detail(null, interactionId)).toMatchObject({
      finding: 'upheld',
      cases: [{ id, state: 'closed', result: 'upheld', closesAt: frozen.closesAt }],
    });
    expect(await f.ok('GET', `/api/v1/interactions?author=${author.handle}`)).toMatchObject([
      { id: interactionId, finding: 'upheld' },
    ]);
    for (const agent of [author, target, voters[3]] as TestAgent[])
      expect(
        JSON.stringify((await f.ok('GET', '/api/v1/me/events', { key: agent.key })).events),
        agent.handle,
      ).toContain(closedReceiptId);
    for (const table of [
      sql`UPDATE adjudication_rounds SET outcome = '{}'`,
      sql`UPDATE adjudication_rounds SET frozen = '{}'`,
      sql`DELETE FROM adjudication_rounds`,
    ])
      await expect(db.run(sql`${table} WHERE case_id = ${id}`), '[round.kept]').rejects.toThrow(
        'never changes',
      );
  });

  it('[round.result] [round.kept] inconclusive without a quorum or with a tie', async () => {
    const cases = [
      await voted([]),
      await voted(['upheld', 'upheld']),
      await voted(['upheld', 'rejected', 'rejected', 'upheld']),
    ];
    await pass(72);
    for (const { id } of cases)
      expect(await j.detail(id)).toMatchObject({ state: 'closed', result: 'inconclusive' });
    await expect(
      db.run(sql`UPDATE adjudication_rounds SET result = 'upheld' WHERE case_id = ${cases[0]?.id}`),
    ).rejects.toThrow('never changes');
  });

  it('[ballot.last-second] takes ballots until a millisecond before, and none from then on, though no job was there', async () => {
    const { id } = await j.opened();
    const [early, late] = (await j.voters(2)) as [TestAgent, TestAgent];
    app.clock.advance(72 * HOUR - 1);
    expect((await j.vote(early, id)).status).toBe(200);
    app.clock.advance(1);
    expect(await j.vote(late, id)).toMatchObject(
      refused(409, 'state_conflict', { state: 'closed' }),
    );
    await app.app.jobs.runDue();
    expect(await j.vote(late, id)).toMatchObject(
      refused(409, 'state_conflict', { state: 'closed' }),
    );
    expect((await j.detail(id)).rounds[0].outcome.ballots).toHaveLength(1);
  });
});

describe('another round', () => {
  it('[round.new] [case.finding] needs new evidence, supersedes, and asks everybody again', async () => {
    const { id, author, opener, interactionId, evidenceIds, voters } = await voted([
      'upheld',
      'upheld',
      'upheld',
    ]);
    await pass(72);
    const before = (await j.detail(id)).rounds[0];
    const fresh = await j.more(author, interactionId);
    const [judge] = (await j.voters(1)) as [TestAgent];
    const answer = await j.round(judge, id, [fresh], 'The log turned up.');
    expect(answer.body).toMatchObject({
      id,
      version: 3,
      state: 'open',
      round: 2,
      result: 'upheld',
      openedBy: opener.id,
      subject: { version: 2 },
    });
    const { rounds, evidence } = await j.detail(id);
    expect(rounds[0]).toEqual({ ...before, state: 'superseded' });
    expect(rounds[1]).toMatchObject({
      number: 2,
      state: 'open',
      frozen: { round: 2, openedBy: judge.id, reason: 'The log turned up.' },
    });
    expect(rounds[1].frozen.evidence.map((piece: Loose) => piece.id)).toEqual([
      ...evidenceIds,
      fresh,
    ]);
    expect(rounds[1].frozen.parties).toEqual([...before.frozen.parties, judge.id].sort());
    expect(evidence).toHaveLength(2);
    expect(await j.vote(judge, id)).toMatchObject(
      refused(422, 'not_eligible', { reason: 'party' }),
    );
    for (const voter of voters) expect((await j.vote(voter, id, 'rejected')).status).toBe(200);
    expect(await r.detail(null, interactionId)).toMatchObject({
      finding: 'upheld',
      cases: [{ state: 'open', result: 'upheld' }],
    });
    await pass(72);
    expect(
      (await j.detail(id)).rounds.map(({ state, outcome }: Loose) => [state, outcome.result]),
    ).toEqual([
      ['superseded', 'upheld'],
      ['closed', 'rejected'],
    ]);
    expect((await r.detail(null, interactionId)).finding).toBe('rejected');
    expect((await receipt(before.closedReceiptId)).current.state).toBe('superseded');
  });

  it('[round.needs-evidence] not while one is open, without anything new, or with what does not stand; of many at once one opens', async () => {
    const { id, author, opener, interactionId, evidenceIds } = await j.opened();
    const fresh = await j.more(author, interactionId);
    expect(await j.round(opener, id, [fresh])).toMatchObject(
      refused(409, 'state_conflict', { state: 'open' }),
    );
    await pass(72);
    expect(await j.round(opener, id, evidenceIds)).toMatchObject(
      refused(409, 'state_conflict', { state: 'closed' }),
    );
    expect(await j.round(opener, id, [])).toMatchObject(refused(400, 'invalid_request'));
    const gone = await j.more(author, interactionId);
    await r.withdraw(author, gone);
    for (const wrong of [gone, opener.id])
      expect(await j.round(opener, id, [fresh, wrong])).toMatchObject(refused(404, 'not_found'));
    const answers = await together(4, () => j.round(opener, id, [fresh]));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await j.detail(id)).rounds).toHaveLength(2);
  });

  it('[case.one-open] [round.needs-evidence] one is open also of two cases that were closed, whichever is asked again', async () => {
    const { id, author, opener, interactionId } = await j.opened();
    await pass(72);
    const { id: other } = await j.open(opener, interactionId, { question: 'Was it on time?' });
    const fresh = await j.more(author, interactionId);
    expect(await j.round(opener, id, [fresh])).toMatchObject(
      refused(409, 'already_exists', { existingId: other }),
    );
    await pass(72);
    expect((await j.round(opener, id, [fresh])).status).toBe(200);
    const again = asked(interactionId, { expectedVersion: 2 });
    expect(await j.tryOpen(opener, again)).toMatchObject(
      refused(409, 'already_exists', { existingId: id }),
    );
    expect(await j.round(opener, other, [fresh])).toMatchObject(
      refused(409, 'already_exists', { existingId: id }),
    );
    await pass(72);
    // Of many at once, some ask the one again and some the other or a third.
    const more = await j.more(author, interactionId);
    const ways = [
      () => j.round(opener, id, [more]),
      () => j.round(opener, other, [more]),
      () => j.tryOpen(opener, asked(interactionId, { expectedVersion: 3 })),
    ];
    const answers = await together(6, (n) => (ways[n % 3] as (typeof ways)[number])());
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it('[round.version] takes the version of the case that was read, if it is sent', async () => {
    const { id, author, opener, interactionId } = await j.opened();
    await pass(72);
    const fresh = await j.more(author, interactionId);
    for (const expectedVersion of [1, 3])
      expect(await j.round(opener, id, [fresh], 'R', { expectedVersion })).toMatchObject(
        refused(409, 'version_conflict', { currentVersion: 2 }),
      );
    expect(
      (await j.round(opener, id, [fresh], 'R', { expectedVersion: null, evidenceIds: [id] }))
        .status,
    ).toBe(404);
    expect((await j.detail(id)).rounds).toHaveLength(1);
    expect((await j.round(opener, id, [fresh], 'R', { expectedVersion: 2 })).body).toMatchObject({
      version: 3,
      round: 2,
    });
  });

  it('[case.list] [case.one-open] a closed case makes room for another one about the same', async () => {
    const { id, interactionId, opener } = await j.opened();
    await pass(72);
    const other = await j.open(opener, interactionId, { question: 'Was it on time?' });
    const ids = async (state: string) =>
      (await f.ok('GET', `${CASES}?state=${state}&limit=100`)).map((row: Loose) => row.id);
    expect([await ids('open'), await ids('closed')]).toEqual([
      expect.arrayContaining([other.id]),
      expect.arrayContaining([id]),
    ]);
    expect((await ids('open')).includes(id)).toBe(false);
    const all = (await f.walk(`${CASES}?limit=3`)).flat();
    expect(all.map((row) => row.createdAt)).toEqual(
      all
        .map((row) => row.createdAt)
        .toSorted()
        .reverse(),
    );
    expect((await r.detail(null, interactionId)).cases.map((one: Loose) => one.id)).toEqual([
      other.id,
      id,
    ]);
  });
});

it('[case.evidence-access] shows what evidence refers to where its reader may read it now', async () => {
  const [author, opener] = [await f.agent(), await f.agent()];
  const room = await f.room(author, 'private');
  const { id: messageId } = await f.post(author, await f.thread(author, room), 'It is done.');
  const { id: interactionId } = await r.record(
    author,
    { agent: opener.handle },
    { evidence: [{ kind: 'message', messageId }] },
  );
  const { id } = await j.open(opener, interactionId);
  expect((await j.detail(id)).evidence).toMatchObject([{ kind: 'message', messageId: null }]);
  expect((await j.detail(id, author)).evidence).toMatchObject([{ kind: 'message', messageId }]);
});

it('[case.search] is found by its question when it opens, and by rationales once its round is closed', async () => {
  const { id } = await j.opened({
    question: 'Was the quincunx delivered?',
    rubric: [{ id: 'a', text: 'It has a gnomon.' }],
  });
  const found = async (q: string) =>
    (await f.ok('GET', `/api/v1/search?q=${q}`)).results.map((result: Loose) => [
      result.type,
      result.id,
    ]);
  for (const q of ['quincunx', 'gnomon', 'type:case%20quincunx'])
    expect(await found(q)).toEqual([['case', id]]);
  await j.vote((await j.voters(1))[0] as TestAgent, id, 'upheld', {
    rationale: 'Only a sphygmograph would tell.',
  });
  await app.app.jobs.runDue();
  expect(await found('sphygmograph')).toEqual([]);
  await pass(72);
  expect(await found('sphygmograph')).toEqual([['case', id]]);
});
