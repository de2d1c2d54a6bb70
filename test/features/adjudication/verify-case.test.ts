import { describe, expect, it } from 'vitest';
import { checkCase } from '../../../client/src/cases/check-case.ts';
import { verifyCase } from '../../../client/src/cases/verify-case.ts';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json, runConcurrently, type TestAgent } from '../../support/factories.ts';
import { runCommand } from '../../support/service.ts';
import { interactionSettings } from '../interactions/setup.ts';
import { adjudicationHelpers, adjudicationSettings, HOUR } from './setup.ts';

const app = await startApp({ ...interactionSettings, ...adjudicationSettings });
const f = factories(app);
const j = adjudicationHelpers(f);
const advanceHours = async (hours: number) => {
  app.clock.advance(hours * HOUR);
  await app.app.jobs.runDue();
};

/** Creates a case of two closed rounds in which one operator has three votes in the first. */
async function createDecidedCase(): Promise<string> {
  const { id, author, interactionId } = await j.createCase();
  const voters = await j.createVoters(6);
  for (const { id: voter } of voters.slice(0, 3))
    await f.ok('PUT', `/api/v1/admin/agents/${voter}/operator-group`, {
      admin: true,
      body: { operatorGroup: 'One Ltd' },
    });
  for (const [index, voter] of voters.entries()) {
    await j.castVote(voter, id, index === 5 ? 'rejected' : 'upheld');
    app.clock.advance(1);
  }
  await advanceHours(72);
  await j.openRound((await j.createVoters(1))[0] as TestAgent, id, [
    await j.addEvidence(author, interactionId),
  ]);
  for (const voter of voters) await j.castVote(voter, id, 'rejected');
  await advanceHours(72);
  return id;
}

const id = await createDecidedCase();
const detail = await j.getCase(id);
const listFailedSteps = async (value: unknown) =>
  (await verifyCase(value)).filter(({ holds }) => holds === false).map(({ name }) => name);

/**
 * Returns the steps that fail when the installation's answers are changed in transit: false for
 * steps that are wrong, null for steps that cannot be decided.
 */
async function listFailedStepsWith(value: unknown, change: (interaction: Json) => void) {
  const fetchChanged = async (address: string | URL | Request, init?: RequestInit) => {
    const answer = await fetch(address, init);
    if (!String(address).includes('/interactions/')) return answer;
    const interaction = await answer.json();
    change(interaction);
    return Response.json(interaction);
  };
  const checks = await checkCase(value, {
    at: app.url,
    issuer: app.url,
    fetch: fetchChanged as typeof fetch,
  });
  return checks.filter(({ holds }) => holds !== true).map(({ name, holds }) => [name, holds]);
}

describe('verifyCase', () => {
  it('[case.recompute] agrees with the public record', async () => {
    expect(detail.rounds.map(({ outcome }: Json) => outcome.result)).toEqual([
      'upheld',
      'rejected',
    ]);
    expect(detail.rounds[0].outcome.votes).toEqual({
      upheld: 3,
      rejected: 1,
      insufficientEvidence: 0,
      notCounted: 2,
    });
    expect(await listFailedSteps(detail)).toEqual([]);
  });

  const changeFirstRound = (change: (round: Json) => void) => (value: Json) =>
    change(value.rounds[0]);
  const changeOutcome = (change: (outcome: Json) => void) =>
    changeFirstRound((round) => change(round.outcome));
  const table: readonly (readonly [what: string, change: (value: Json) => void, step: string])[] = [
    [
      'another question',
      changeFirstRound(({ frozen }) => (frozen.question = 'Something else?')),
      'rounds',
    ],
    [
      'evidence that was not there',
      changeFirstRound(({ frozen }) => frozen.evidence.pop()),
      '1 frozen',
    ],
    [
      'another text of the evidence',
      ({ evidence }) => (evidence[0].text = 'I saw nothing.'),
      '1 evidence',
    ],
    [
      'another submitter of the evidence',
      ({ evidence }) => (evidence[1].submittedBy = evidence[1].id),
      '2 evidence',
    ],
    ['evidence that is not shown', ({ evidence }) => evidence.shift(), '1 evidence'],
    [
      'a longer window',
      changeFirstRound(({ frozen }) => (frozen.closesAt = frozen.opensAt)),
      '1 frozen',
    ],
    [
      'another verdict',
      changeOutcome(({ ballots }) => (ballots[0].verdict = 'rejected')),
      '1 ballots',
    ],
    [
      'another rationale',
      changeOutcome(({ ballots }) => (ballots[0].rationale += '!')),
      '1 ballots',
    ],
    ['a ballot twice', changeOutcome(({ ballots }) => ballots.push(ballots[0])), '1 ballots'],
    [
      'a ballot of a party',
      changeFirstRound(({ frozen, outcome }) => (outcome.ballots[0].voterId = frozen.parties[0])),
      '1 ballots',
    ],
    ['a ballot left out', changeOutcome(({ ballots }) => ballots.pop()), '1 result'],
    [
      'a ballot not counted for no reason',
      changeOutcome(({ ballots }) => (ballots[0].counted = false)),
      '1 counting',
    ],
    [
      'an operator counted twice',
      changeOutcome(({ ballots }) =>
        Object.assign(ballots[1], { counted: true, notCountedBecause: null }),
      ),
      '1 counting',
    ],
    [
      'another ballot of an operator counted',
      changeOutcome(({ ballots }) =>
        Object.assign(ballots[0], { counted: false, notCountedBecause: 'operator_counted' }),
      ),
      '1 counting',
    ],
    ['another result', changeOutcome((one) => (one.result = 'inconclusive')), '1 result'],
    ['other votes', changeOutcome(({ votes }) => votes.upheld++), '1 result'],
    [
      'closed before its time',
      changeOutcome((one) => (one.closedAt = detail.createdAt)),
      '1 result',
    ],
    [
      'another digest',
      changeFirstRound((round) => (round.recordSha256 = '0'.repeat(64))),
      '1 record',
    ],
    [
      'a round before its time',
      ({ rounds }) => (rounds[1].frozen.opensAt = rounds[0].frozen.opensAt),
      'rounds',
    ],
    ['a round left out', ({ rounds }) => rounds.shift(), 'rounds'],
    [
      'a round with nothing new',
      ({ rounds }) => (rounds[1].frozen.evidence = rounds[0].frozen.evidence),
      'rounds',
    ],
    ['a result of its own', (value) => (value.result = 'upheld'), 'rounds'],
    ['no rounds', (value) => delete value.rounds, 'rounds'],
  ];

  it.for(table)('[case.recompute] detects %s', async ([, change, wrong]) => {
    const changed = structuredClone(detail);
    change(changed);
    expect(await listFailedSteps(changed)).toContain(wrong);
  });

  it('[case.recompute] rejects what is not a case', async () => {
    for (const value of [null, 1, [], {}, { rounds: [null] }, { rounds: [{ frozen: null }] }])
      expect(await listFailedSteps(value)).toEqual(['rounds']);
  });

  it('[case.recompute] [case.recompute-judged] detects another judged version', async () => {
    const provenance = { source: 'third_party', note: 'Told by Ada.', threadId: id, messageId: id };
    expect(await listFailedStepsWith(detail, () => {})).toEqual([]);
    expect(await listFailedStepsWith(detail, ({ revisions }) => revisions.pop())).toEqual([
      ['2 judged', false],
    ]);
    expect(
      await listFailedStepsWith(detail, ({ revisions }) => (revisions[0].content.evidenceIds = [])),
    ).toEqual([['1 judged', false]]);
    expect(
      await listFailedStepsWith(
        detail,
        ({ revisions }) => (revisions[0].content.provenance = provenance),
      ),
    ).toEqual([['1 judged', false]]);
    // A reference of the author may be hidden from the caller.
    expect(
      await listFailedStepsWith(
        detail,
        ({ revisions }) => (revisions[1].content.summary = 'Another.'),
      ),
    ).toEqual([['2 judged', null]]);
  });

  it('[case.recompute-judged] reports what it cannot decide without hidden records', async () => {
    const [author, target, opener] = (await runConcurrently(3, () => f.createAgent())) as [
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const room = await f.createRoom(author, 'private');
    const threadId = await f.createThread(author, room);
    const { id: messageId } = await f.postMessage(author, threadId, 'Here it is');
    const evidence = [
      { kind: 'message', messageId },
      { kind: 'statement', text: 'It is there.' },
    ];
    const recorded = await j.r.recordInteraction(
      author,
      { agent: target.handle },
      { evidence, provenance: { source: 'first_hand', threadId } },
    );
    const { id: caseId } = await j.openCase(opener, recorded.id);
    const listFailedChecks = async (apiKey?: string) => {
      const options = { at: app.url, issuer: app.url, apiKey };
      const found = await checkCase(
        await f.ok('GET', `/api/v1/adjudication/cases/${caseId}`, apiKey ? { key: apiKey } : {}),
        options,
      );
      // The receipt of the opening may still wait for its place in the log.
      return found.flatMap(({ name, holds }) =>
        holds === true || name === '1 opening' ? [] : [[name, holds]],
      );
    };
    expect(await listFailedChecks()).toEqual([
      ['1 evidence', null],
      ['1 judged', null],
    ]);
    // One scope reads the interaction, and the other the evidence of the case.
    await f.getKeyWithScope(author, 'adjudication');
    const both = await f.createScopedKey(author, ['interactions', 'adjudication']);
    expect(await listFailedChecks(both.apiKey)).toEqual([]);
  });

  it('[case.recompute] the command checks receipts too, and says 0 if all agrees', async () => {
    const run = (args: string) => runCommand(`verify-case ${args}`);
    const good = await run(`${id} --url ${app.url}`);
    expect(good, good.err).toMatchObject({ code: 0 });
    expect(good.out).toContain('Proven: what was frozen');
    expect(good.out.match(/is genuine, in the log/g)).toHaveLength(4);
    expect(good.out.match(/of the interaction is the one that was frozen/g)).toHaveLength(2);
    // The record and its digests are changed behind the service's back, so only the receipt reveals
    // it.
    const { db } = app.app.env;
    await db.run(sql`ALTER TABLE adjudication_rounds DISABLE TRIGGER keep`);
    await db.run(sql`
      UPDATE adjudication_rounds
      SET outcome = jsonb_set(outcome, '{closedAt}', '"2030-01-01T00:00:00.000Z"')
      WHERE case_id = ${id} AND number = 2
    `);
    const bad = await run(`${app.url}/api/v1/adjudication/cases/${id}`);
    const nowhere = await run(`${id} --url ${app.url} --issuer https://other.example`);
    const nothing = await run('x');
    expect(bad).toMatchObject({ code: 1 });
    expect(bad.out).toContain('NOT PROVEN');
    for (const wrong of [nowhere, nothing]) expect(wrong).toMatchObject({ code: 1 });
    expect(nothing.err).toContain('names no case');
  });
});
