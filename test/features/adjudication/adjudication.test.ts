import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { sha256 } from '../../../src/kernel/crypto/credentials.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
} from '../../support/factories.ts';
import { interactionSettings } from '../interactions/setup.ts';
import { taskSettings } from '../tasks/setup.ts';
import {
  adjudicationHelpers,
  adjudicationSettings,
  buildCaseInput,
  CASES,
  exampleRubric,
  exampleStatement,
  HOUR,
} from './setup.ts';

// Jobs of other nodes would hold rounds that `runDue` then skips.
const app = await startApp(
  { ...interactionSettings, ...adjudicationSettings, ...taskSettings },
  { manualJobs: true },
);
const f = factories(app);
const j = adjudicationHelpers(f);
const { r } = j;
const { db } = app.app.env;

const computeDigest = (value: unknown): string => sha256(canonicalize(value) ?? '').toString('hex');
const addHours = (time: string, hours: number): string =>
  new Date(Date.parse(time) + hours * HOUR).toISOString();
const advanceHours = async (hours: number): Promise<void> => {
  app.clock.advance(hours * HOUR);
  await app.app.jobs.runDue();
};
const getReceipt = (id: string) => f.ok('GET', `/e/${id}.json`);

/** Opens a case and casts these verdicts, each by an agent of its own. */
async function createVotedCase(verdicts: readonly string[]) {
  const made = await j.createCase();
  const voters = await j.createVoters(verdicts.length);
  for (const [index, voter] of voters.entries())
    expect((await j.castVote(voter, made.id, verdicts[index])).status).toBe(200);
  return { ...made, voters };
}

describe('openCase', () => {
  it('[case.open] [case.frozen] freezes what the round judges for 72 hours', async () => {
    const {
      author,
      target,
      opener,
      interactionId,
      evidenceIds,
      case: made,
      id,
    } = await j.createCase();
    const now = made.createdAt;
    expect(made).toEqual({
      id,
      version: 1,
      state: 'open',
      subject: { type: 'interaction', id: interactionId, version: 1 },
      asks: 'Did it happen as version 1 of the interaction says?',
      question: 'Was it delivered as recorded?',
      visibility: 'public',
      openedBy: opener.id,
      openedByHandle: opener.handle,
      round: 1,
      result: null,
      opensAt: now,
      closesAt: addHours(now, 72),
      createdAt: now,
      updatedAt: now,
      receiptId: expect.any(String),
    });
    const detail = await j.getCase(id);
    const { revisions, evidence } = await r.getInteraction(null, interactionId);
    const [{ version, state, content }] = revisions;
    expect(detail.rounds).toEqual([
      {
        number: 1,
        state: 'open',
        outcome: null,
        recordSha256: null,
        ballotsLeftOut: 0,
        closedReceiptId: null,
        settledByRound: null,
        openedReceiptId: made.receiptId,
        frozenSha256: computeDigest(detail.rounds[0].frozen),
        frozen: {
          v: 1,
          method: 'stoa-adjudication/2',
          caseId: id,
          round: 1,
          question: made.question,
          rubric: exampleRubric,
          openedBy: opener.id,
          reason: null,
          subject: {
            type: 'interaction',
            id: interactionId,
            version: 1,
            sha256: computeDigest({ version, state, content }),
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
          opensAt: now,
          closesAt: addHours(now, 72),
        },
      },
    ]);
    const { interactionId: _, ...piece } = evidence[0];
    expect(detail).toMatchObject({ rubric: exampleRubric, evidence: [piece] });
    expect(detail.parties.map(({ handle }: Json) => handle).sort()).toEqual(
      [author.handle, target.handle, opener.handle].sort(),
    );
    expect((await getReceipt(made.receiptId)).receipt.payload).toMatchObject({
      kind: 'case.opened',
      contentSha256: detail.rounds[0].frozenSha256,
      subject: { type: 'case', id },
      actor: { id: opener.id },
    });
  });

  it('[case.frozen] keeps a round unchanged by later revisions and evidence', async () => {
    const { author, interactionId, evidenceIds, id } = await j.createCase();
    const before = await j.getCase(id);
    await r.reviseInteraction(author, interactionId, {
      expectedVersion: 1,
      summary: 'Something else.',
    });
    await r.submitEvidence(author, interactionId, { expectedVersion: 2, ...exampleStatement });
    await r.withdrawEvidence(author, evidenceIds[0] as string);
    await r.reviseInteraction(author, interactionId, { expectedVersion: 4, state: 'withdrawn' });
    const { evidence, ...after } = await j.getCase(id);
    expect(after).toEqual({ ...before, evidence: undefined });
    expect(evidence).toMatchObject([{ id: evidenceIds[0], state: 'withdrawn' }]);
    expect(
      (await j.castVote((await j.createVoters(1))[0] as TestAgent, id, 'upheld', { evidenceIds }))
        .status,
    ).toBe(200);
  });

  it('[case.open] takes the named evidence of this interaction unless withdrawn', async () => {
    const author = await f.createAgent();
    const opener = await f.createAgent();
    const { id, evidenceIds } = await r.recordInteraction(
      author,
      { agent: opener.handle },
      { evidence: [exampleStatement, exampleStatement, exampleStatement] },
    );
    const [first, second, third] = evidenceIds as string[];
    await r.withdrawEvidence(author, third as string);
    const other = await r.recordInteraction(
      author,
      { agent: opener.handle },
      { evidence: [exampleStatement] },
    );
    for (const wrong of [third, other.evidenceIds[0], opener.id])
      expect(
        await j.tryOpenCase(
          opener,
          buildCaseInput(id, { expectedVersion: 2, evidenceIds: [first, wrong] }),
        ),
      ).toMatchObject(buildProblem(404, 'not_found'));
    const made = await j.openCase(opener, id, { expectedVersion: 2, evidenceIds: [second] });
    expect(
      (await j.getCase(made.id)).rounds[0].frozen.evidence.map((piece: Json) => piece.id),
    ).toEqual([second]);
    expect(
      await j.castVote((await j.createVoters(1))[0] as TestAgent, made.id, 'upheld', {
        evidenceIds: [first],
      }),
    ).toMatchObject(buildProblem(400, 'invalid_request'));
  });

  it('[case.subject] accepts only public interactions that are not withdrawn', async () => {
    const [author, target, stranger] = (await runConcurrently(3, () => f.createAgent())) as [
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const hidden = await r.recordInteraction(
      author,
      { agent: target.handle },
      { visibility: 'private' },
    );
    expect(await j.tryOpenCase(target, buildCaseInput(hidden.id))).toMatchObject(
      buildProblem(403, 'forbidden'),
    );
    expect(await j.tryOpenCase(stranger, buildCaseInput(hidden.id))).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    const { id } = await r.recordInteraction(author, { agent: target.handle });
    await r.reviseInteraction(author, id, { expectedVersion: 1, state: 'withdrawn' });
    expect(await j.tryOpenCase(stranger, buildCaseInput(id, { expectedVersion: 2 }))).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'withdrawn' }),
    );
    const submission = { subject: { type: 'task_submission', id } };
    expect(await j.tryOpenCase(stranger, buildCaseInput(id, submission))).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect(
      await db.first(sql`
        SELECT count(*) AS count
        FROM adjudication_cases
        WHERE subject_id IN (${id}, ${hidden.id})
      `),
    ).toEqual({ count: 0 });
  });

  it('[case.version] opens nothing when the expected version is wrong', async () => {
    const author = await f.createAgent();
    const opener = await f.createAgent();
    const { id } = await r.recordInteraction(author, { agent: opener.handle });
    for (const expectedVersion of [2, 100])
      expect(await j.tryOpenCase(opener, buildCaseInput(id, { expectedVersion }))).toMatchObject(
        buildProblem(409, 'version_conflict', { currentVersion: 1 }),
      );
    expect((await r.getInteraction(null, id)).cases).toEqual([]);
  });

  it('[case.open] rejects invalid input', async () => {
    const author = await f.createAgent();
    const opener = await f.createAgent();
    const { id } = await r.recordInteraction(author, { agent: opener.handle });
    const buildCriterion = (name: string) => ({ id: name, text: 'So.' });
    const many = Array.from({ length: 11 }, (_, index) => buildCriterion(`c${index}`));
    for (const more of [
      ...[
        { rubric: [] },
        { rubric: many },
        { rubric: [buildCriterion('a'), buildCriterion('a')] },
        { rubric: [buildCriterion('A B')] },
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
      expect(
        await j.tryOpenCase(opener, buildCaseInput(id, more)),
        JSON.stringify(more),
      ).toMatchObject(buildProblem(400, 'invalid_request'));
    expect(
      (
        await j.tryOpenCase(
          opener,
          buildCaseInput(id, { rubric: many.slice(1), question: '𝒳'.repeat(2000) }),
        )
      ).status,
    ).toBe(200);
  });

  it('[case.one-open] opens one case when many calls race on two nodes', async () => {
    const second = factories(await app.startNode());
    const author = await f.createAgent();
    const target = await f.createAgent();
    const { id } = await r.recordInteraction(author, { agent: target.handle });
    const keys = await runConcurrently(6, async () =>
      f.getKeyWithScope(await f.createAgent(), 'adjudication'),
    );
    const answers = await runConcurrently(6, (n) =>
      (n % 2 ? f : second).send('POST', CASES, { key: keys[n], body: buildCaseInput(id) }),
    );
    const [made, ...others] = answers.toSorted((a, b) => a.status - b.status);
    expect(made?.status).toBe(200);
    for (const other of others)
      expect(other).toMatchObject(
        buildProblem(409, 'already_exists', { existingId: made?.body.id }),
      );
    expect((await r.getInteraction(null, id)).cases).toHaveLength(1);
  });

  it('[case.rights] needs adjudication; castBallot needs reviewer', async () => {
    const { id } = await j.createCase();
    const agent = await f.createAgent();
    const other = { key: await f.getKeyWithScope(agent, 'reviewer') };
    expect(await f.send('POST', CASES, { ...other, body: buildCaseInput(id) })).toMatchObject(
      buildProblem(403, 'insufficient_scope', { requiredScope: 'adjudication' }),
    );
    const key = await f.getKeyWithScope(agent, 'adjudication');
    const vote = { body: { verdict: 'upheld', rationale: 'So.' } };
    expect(await f.send('POST', `${CASES}/${id}/ballots`, { key, ...vote })).toMatchObject(
      buildProblem(403, 'insufficient_scope', { requiredScope: 'reviewer' }),
    );
    await f.grantCapability(agent, 'reviewer', 'revoked');
    expect(await f.send('POST', `${CASES}/${id}/ballots`, { ...other, ...vote })).toMatchObject(
      buildProblem(403, 'capability_revoked'),
    );
    expect((await f.send('GET', `${CASES}/${id}`)).status).toBe(200);
  });
});

describe('castBallot', () => {
  it('[ballot.cast] [ballot.once] accepts one immutable ballot per voter', async () => {
    const { id, case: made } = await j.createCase();
    const [voter] = (await j.createVoters(1)) as [TestAgent];
    const { body } = await j.castVote(voter, id, 'rejected', { rationale: 'No.' });
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
      id: expect.any(String),
      caseId: id,
      round: 1,
      sha256: computeDigest(vote),
      receiptId: expect.any(String),
      closesAt: made.closesAt,
      createdAt: made.createdAt,
    });
    const answers = await runConcurrently(4, () => j.castVote(voter, id, 'upheld'));
    for (const answer of answers)
      expect(answer).toMatchObject(buildProblem(409, 'already_exists', { existingId: body.id }));
    const [racer] = (await j.createVoters(1)) as [TestAgent];
    const raced = await runConcurrently(5, () => j.castVote(racer, id, 'upheld'));
    expect(raced.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const statement of [
      sql`
        UPDATE adjudication_ballots
        SET verdict = 'upheld'
        WHERE id = ${body.id}
      `,
      sql`DELETE FROM adjudication_ballots WHERE id = ${body.id}`,
    ])
      await expect(db.run(statement)).rejects.toThrow('a ballot never changes');
  });

  it('[ballot.cast] rejects invalid ballots', async () => {
    const { id, evidenceIds } = await j.createCase();
    const [voter] = (await j.createVoters(1)) as [TestAgent];
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
      expect(await j.castVote(voter, id, 'upheld', more), JSON.stringify(more)).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    expect(
      (
        await j.castVote(voter, id, 'insufficient_evidence', {
          rationale: '𝒳'.repeat(4000),
          evidenceIds,
        })
      ).status,
    ).toBe(200);
  });

  it('[ballot.eligible] rejects parties, new, synthetic, related and blocked agents', async () => {
    const [related, synthetic, blocked, plain, ...aged] = (await j.createVoters(
      7,
    )) as TestAgent[] as [TestAgent, TestAgent, TestAgent, TestAgent, ...TestAgent[]];
    const [author, target, opener] = aged as [TestAgent, TestAgent, TestAgent];
    const young = await f.createAgent();
    const { id: interactionId } = await r.recordInteraction(author, { agent: target.handle });
    const { id } = await j.openCase(opener, interactionId);
    const setOperatorGroup = (agent: TestAgent, operatorGroup: string) =>
      f.ok('PUT', `/api/v1/admin/agents/${agent.id}/operator-group`, {
        admin: true,
        body: { operatorGroup },
      });
    for (const agent of [target, related]) await setOperatorGroup(agent, 'Related Ltd');
    await setOperatorGroup(plain, 'Unrelated Ltd');
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
      expect(await j.castVote(agent, id), reason).toMatchObject(
        buildProblem(422, 'not_eligible', { reason }),
      );
    const key = await f.getKeyWithScope(blocked, 'reviewer');
    await f.ok('PUT', `/api/v1/admin/agents/${blocked.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    expect(
      await f.send('POST', `${CASES}/${id}/ballots`, {
        key,
        body: { verdict: 'upheld', rationale: 'So.' },
      }),
    ).toMatchObject(buildProblem(403, 'agent_blocked'));
    expect((await j.castVote(plain, id)).status).toBe(200);
    // PostgreSQL itself rejects a ballot of a party.
    await expect(
      db.run(sql`
        INSERT INTO adjudication_ballots
        SELECT gen_random_uuid(), round_id, ${author.id}, verdict, rationale, evidence_ids, sha256,
          gen_random_uuid(), cast_at
        FROM adjudication_ballots
        WHERE voter_id = ${plain.id}
      `),
    ).rejects.toThrow('takes no ballot');
  });

  it('[ballot.receipt] issues a receipt that only the voter can read', async () => {
    const { id, voters } = await createVotedCase(['upheld']);
    const [voter] = voters as [TestAgent];
    await app.app.jobs.runDue();
    await f.grantCapability(voter, 'credentials');
    const { apiKey } = await f.createScopedKey(voter, ['forum', 'credentials']);
    const [event] = (await f.ok('GET', '/api/v1/me/events', { key: apiKey })).events.filter(
      ({ kind }: Json) => kind === 'ballot.cast',
    );
    for (const when of ['before', 'after']) {
      if (when === 'after') await advanceHours(72);
      const mine = await f.ok('GET', `/api/v1/portable-events/${event.id}`, { key: apiKey });
      const [ballot] = (await j.getCase(id)).rounds[0].outcome?.ballots ?? [
        { sha256: mine.receipt.payload.contentSha256 },
      ];
      expect(mine).toMatchObject({
        visibility: 'private',
        receipt: { payload: { kind: 'ballot.cast', contentSha256: ballot.sha256 } },
      });
      for (const options of [
        {},
        { admin: true },
        { key: await f.getKeyWithScope(await f.createAgent(), 'credentials') },
      ])
        expect(await f.send('GET', `/api/v1/portable-events/${event.id}`, options)).toMatchObject(
          buildProblem(404, 'not_found'),
        );
    }
  });
});

describe('closeRounds', () => {
  it(
    '[round.result] [ballot.public] [case.finding] [case.receipts] ' +
      '[case.search] shows votes, reasons and the result of each round',
    async () => {
      const { id, interactionId, voters, author, target } = await createVotedCase([
        'upheld',
        'rejected',
        'upheld',
        'insufficient_evidence',
      ]);
      const opened = (await j.getCase(id)).rounds[0];
      expect(opened.outcome).toBeNull();
      app.clock.advance(72 * HOUR - 1);
      await app.app.jobs.runDue();
      expect(await j.getCase(id)).toMatchObject({
        state: 'open',
        result: null,
        rounds: [{ outcome: null }],
      });
      app.clock.advance(1);
      await app.app.jobs.runDue();
      const detail = await j.getCase(id);
      expect(detail).toMatchObject({ version: 2, state: 'closed', result: 'upheld', round: 1 });
      const [{ frozen, outcome, recordSha256, closedReceiptId }] = detail.rounds;
      expect(frozen).toEqual(opened.frozen);
      expect(outcome).toMatchObject({
        closedAt: frozen.closesAt,
        result: 'upheld',
        votes: { upheld: 2, rejected: 1, insufficientEvidence: 1, notCounted: 0 },
      });
      expect(
        outcome.ballots.map(({ voterHandle, verdict, rationale, counted }: Json) => [
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
      expect(recordSha256).toBe(computeDigest({ frozen, outcome }));
      expect((await getReceipt(closedReceiptId)).receipt.payload).toMatchObject({
        kind: 'case.closed',
        contentSha256: recordSha256,
        actor: null,
      });
      expect((await f.send('GET', `/e/${closedReceiptId}`)).text).toContain(
        'The service of the installation',
      );
      expect((await getReceipt(closedReceiptId)).summary).toBe(
        'The service closed the case "Was it delivered as recorded?"',
      );
      expect(await r.getInteraction(null, interactionId)).toMatchObject({
        finding: 'upheld',
        cases: [{ id, state: 'closed', result: 'upheld', closesAt: frozen.closesAt }],
      });
      expect(await f.ok('GET', `/api/v1/interactions?author=${author.handle}`)).toMatchObject([
        { id: interactionId, finding: 'upheld' },
      ]);
      for (const agent of [author, target, voters[3]] as TestAgent[]) {
        await f.grantCapability(agent, 'credentials');
        const { apiKey: key } = await f.createScopedKey(agent, ['forum', 'credentials']);
        expect(
          JSON.stringify((await f.ok('GET', '/api/v1/me/events', { key })).events),
          agent.handle,
        ).toContain(closedReceiptId);
      }
      for (const table of [
        sql`UPDATE adjudication_rounds SET outcome = '{}'`,
        sql`UPDATE adjudication_rounds SET frozen = '{}'`,
        sql`DELETE FROM adjudication_rounds`,
      ])
        await expect(db.run(sql`${table} WHERE case_id = ${id}`), '[round.kept]').rejects.toThrow(
          'never changes',
        );
    },
  );

  it('[round.result] [round.kept] is inconclusive without a quorum or with a tie', async () => {
    const cases = [
      await createVotedCase([]),
      await createVotedCase(['upheld', 'upheld']),
      await createVotedCase(['upheld', 'rejected', 'rejected', 'upheld']),
    ];
    await advanceHours(72);
    for (const { id } of cases)
      expect(await j.getCase(id)).toMatchObject({ state: 'closed', result: 'inconclusive' });
    await expect(
      db.run(sql`
        UPDATE adjudication_rounds
        SET result = 'upheld'
        WHERE case_id = ${cases[0]?.id}
      `),
    ).rejects.toThrow('never changes');
  });

  it('[ballot.last-second] keeps ballots of the last millisecond and none later', async () => {
    const { id } = await j.createCase();
    const [early, late] = (await j.createVoters(2)) as [TestAgent, TestAgent];
    app.clock.advance(72 * HOUR - 1);
    expect((await j.castVote(early, id)).status).toBe(200);
    app.clock.advance(1);
    expect(await j.castVote(late, id)).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'closed' }),
    );
    await app.app.jobs.runDue();
    expect(await j.castVote(late, id)).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'closed' }),
    );
    expect((await j.getCase(id)).rounds[0].outcome.ballots).toHaveLength(1);
  });
});

describe('openRound', () => {
  it('[round.new] [case.finding] needs new evidence and reopens voting', async () => {
    const [judge] = (await j.createVoters(1)) as [TestAgent];
    const { id, author, opener, interactionId, evidenceIds, voters } = await createVotedCase([
      'upheld',
      'upheld',
      'upheld',
    ]);
    await advanceHours(72);
    const before = (await j.getCase(id)).rounds[0];
    const fresh = await j.addEvidence(author, interactionId);
    const answer = await j.openRound(judge, id, [fresh], 'The log turned up.');
    expect(answer.body).toMatchObject({
      id,
      version: 3,
      state: 'open',
      round: 2,
      result: 'upheld',
      openedBy: opener.id,
      subject: { version: 2 },
    });
    const { rounds, evidence } = await j.getCase(id);
    expect(rounds[0]).toEqual({ ...before, state: 'superseded' });
    expect(rounds[1]).toMatchObject({
      number: 2,
      state: 'open',
      frozen: { round: 2, openedBy: judge.id, reason: 'The log turned up.' },
    });
    expect(rounds[1].frozen.evidence.map((piece: Json) => piece.id)).toEqual([
      ...evidenceIds,
      fresh,
    ]);
    expect(rounds[1].frozen.parties).toEqual([...before.frozen.parties, judge.id].sort());
    expect(evidence).toHaveLength(2);
    expect(await j.castVote(judge, id)).toMatchObject(
      buildProblem(422, 'not_eligible', { reason: 'party' }),
    );
    for (const voter of voters) expect((await j.castVote(voter, id, 'rejected')).status).toBe(200);
    expect(await r.getInteraction(null, interactionId)).toMatchObject({
      finding: 'upheld',
      cases: [{ state: 'open', result: 'upheld' }],
    });
    await advanceHours(72);
    expect(
      (await j.getCase(id)).rounds.map(({ state, outcome }: Json) => [state, outcome.result]),
    ).toEqual([
      ['superseded', 'upheld'],
      ['closed', 'rejected'],
    ]);
    expect((await r.getInteraction(null, interactionId)).finding).toBe('rejected');
    expect((await getReceipt(before.closedReceiptId)).current.state).toBe('superseded');
  });

  it('[round.needs-evidence] opens one round, with new usable evidence only', async () => {
    const { id, author, opener, interactionId, evidenceIds } = await j.createCase();
    const fresh = await j.addEvidence(author, interactionId);
    expect(await j.openRound(opener, id, [fresh])).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'open' }),
    );
    await advanceHours(72);
    expect(await j.openRound(opener, id, evidenceIds)).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'closed' }),
    );
    expect(await j.openRound(opener, id, [])).toMatchObject(buildProblem(400, 'invalid_request'));
    const gone = await j.addEvidence(author, interactionId);
    await r.withdrawEvidence(author, gone);
    for (const wrong of [gone, opener.id])
      expect(await j.openRound(opener, id, [fresh, wrong])).toMatchObject(
        buildProblem(404, 'not_found'),
      );
    const answers = await runConcurrently(4, () => j.openRound(opener, id, [fresh]));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await j.getCase(id)).rounds).toHaveLength(2);
  });

  it('[case.one-open] [round.needs-evidence] keeps one open case of two closed ones', async () => {
    const { id, author, opener, interactionId } = await j.createCase();
    await advanceHours(72);
    const { id: other } = await j.openCase(opener, interactionId, { question: 'Was it on time?' });
    const fresh = await j.addEvidence(author, interactionId);
    expect(await j.openRound(opener, id, [fresh])).toMatchObject(
      buildProblem(409, 'already_exists', { existingId: other }),
    );
    await advanceHours(72);
    expect((await j.openRound(opener, id, [fresh])).status).toBe(200);
    const again = buildCaseInput(interactionId, { expectedVersion: 2 });
    expect(await j.tryOpenCase(opener, again)).toMatchObject(
      buildProblem(409, 'already_exists', { existingId: id }),
    );
    expect(await j.openRound(opener, other, [fresh])).toMatchObject(
      buildProblem(409, 'already_exists', { existingId: id }),
    );
    await advanceHours(72);
    // Many calls race: some reopen this case, others reopen the second or open a third.
    const more = await j.addEvidence(author, interactionId);
    const ways = [
      () => j.openRound(opener, id, [more]),
      () => j.openRound(opener, other, [more]),
      () => j.tryOpenCase(opener, buildCaseInput(interactionId, { expectedVersion: 3 })),
    ];
    const answers = await runConcurrently(6, (n) => (ways[n % 3] as (typeof ways)[number])());
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  });

  it('[round.version] openRound needs the version of the case', async () => {
    const { id, author, opener, interactionId } = await j.createCase();
    await advanceHours(72);
    const fresh = await j.addEvidence(author, interactionId);
    for (const expectedVersion of [1, 3])
      expect(await j.openRound(opener, id, [fresh], 'R', { expectedVersion })).toMatchObject(
        buildProblem(409, 'version_conflict', { currentVersion: 2 }),
      );
    for (const expectedVersion of [null, undefined, 0])
      expect(await j.openRound(opener, id, [fresh], 'R', { expectedVersion })).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    expect((await j.getCase(id)).rounds).toHaveLength(1);
    expect(
      (await j.openRound(opener, id, [fresh], 'R', { expectedVersion: 2 })).body,
    ).toMatchObject({
      version: 3,
      round: 2,
    });
  });

  it('[case.list] [case.one-open] openCase accepts a new case after the first closed', async () => {
    const { id, interactionId, opener } = await j.createCase();
    await advanceHours(72);
    const other = await j.openCase(opener, interactionId, { question: 'Was it on time?' });
    const listIds = async (state: string) =>
      (await f.ok('GET', `${CASES}?state=${state}&limit=100`)).map((row: Json) => row.id);
    expect({ open: await listIds('open'), closed: await listIds('closed') }).toEqual({
      open: expect.arrayContaining([other.id]),
      closed: expect.arrayContaining([id]),
    });
    expect((await listIds('open')).includes(id)).toBe(false);
    const all = (await f.listPages(`${CASES}?limit=3`)).flat();
    expect(all.map((row) => row.createdAt)).toEqual(
      all
        .map((row) => row.createdAt)
        .toSorted()
        .reverse(),
    );
    expect((await r.getInteraction(null, interactionId)).cases.map((one: Json) => one.id)).toEqual([
      other.id,
      id,
    ]);
  });
});

it('[case.evidence-access] getCase shows references to their current readers', async () => {
  const author = await f.createAgent();
  const opener = await f.createAgent();
  const room = await f.createRoom(author, 'private');
  const { id: messageId } = await f.postMessage(
    author,
    await f.createThread(author, room),
    'It is done.',
  );
  const { id: interactionId } = await r.recordInteraction(
    author,
    { agent: opener.handle },
    { evidence: [{ kind: 'message', messageId }] },
  );
  const { id } = await j.openCase(opener, interactionId);
  expect((await j.getCase(id)).evidence).toMatchObject([{ kind: 'message', messageId: null }]);
  expect((await j.getCase(id, author)).evidence).toMatchObject([{ kind: 'message', messageId }]);
});

it('[case.search] search finds a case by question, and by rationales once closed', async () => {
  const { id } = await j.createCase({
    question: 'Was the quincunx delivered?',
    rubric: [{ id: 'a', text: 'It has a gnomon.' }],
  });
  const searchIds = async (q: string) =>
    (await f.ok('GET', `/api/v1/search?q=${q}`)).results.map((result: Json) => [
      result.type,
      result.id,
    ]);
  for (const q of ['quincunx', 'gnomon', 'type:case%20quincunx'])
    expect(await searchIds(q)).toEqual([['case', id]]);
  await j.castVote((await j.createVoters(1))[0] as TestAgent, id, 'upheld', {
    rationale: 'Only a sphygmograph would tell.',
  });
  await app.app.jobs.runDue();
  expect(await searchIds('sphygmograph')).toEqual([]);
  await advanceHours(72);
  expect(await searchIds('sphygmograph')).toEqual([['case', id]]);
});
