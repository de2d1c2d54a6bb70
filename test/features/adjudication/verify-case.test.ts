import { describe, expect, it } from 'vitest';
import { checkCase } from '../../../client/check-case.ts';
import { verifyCase } from '../../../client/verify-case.ts';
import { sql } from '../../../src/db/sql.ts';
import { ADJUDICATION, HOUR, judges } from './setup.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, type TestAgent, together } from '../../support/factories.ts';
import { RECORDS } from '../interactions/setup.ts';
import { command } from '../../support/service.ts';

const app = await startApp({ ...RECORDS, ...ADJUDICATION });
const f = factories(app);
const j = judges(f);
const pass = async (hours: number) => {
  app.clock.advance(hours * HOUR);
  await app.app.jobs.runDue();
};

/** A case of two closed rounds and an operator with three votes in the first. */
async function decided(): Promise<string> {
  const { id, author, interactionId } = await j.opened();
  const voters = await j.voters(6);
  for (const { id: voter } of voters.slice(0, 3))
    await f.ok('PUT', `/api/v1/admin/agents/${voter}/operator-group`, {
      admin: true,
      body: { operatorGroup: 'One Ltd' },
    });
  for (const [index, voter] of voters.entries()) {
    await j.vote(voter, id, index === 5 ? 'rejected' : 'upheld');
    app.clock.advance(1);
  }
  await pass(72);
  await j.round((await j.voters(1))[0] as TestAgent, id, [await j.more(author, interactionId)]);
  for (const voter of voters) await j.vote(voter, id, 'rejected');
  await pass(72);
  return id;
}

const id = await decided();
const detail = await j.detail(id);
const steps = async (value: unknown) =>
  (await verifyCase(value)).filter(({ holds }) => holds === false).map(({ name }) => name);

/** The steps that do not hold when the installation's answers are changed on their way: false those that are wrong, null those that cannot be told. */
async function stepsWith(value: unknown, change: (interaction: Loose) => void) {
  const changing = async (address: string | URL | Request, init?: RequestInit) => {
    const answer = await fetch(address, init);
    if (!String(address).includes('/interactions/')) return answer;
    const interaction = await answer.json();
    change(interaction);
    return Response.json(interaction);
  };
  const checks = await checkCase(value, {
    at: app.url,
    issuer: app.url,
    fetch: changing as typeof fetch,
  });
  return checks.filter(({ holds }) => holds !== true).map(({ name, holds }) => [name, holds]);
}

describe('a case, computed again from its public record', () => {
  it('[case.recompute] agrees', async () => {
    expect(detail.rounds.map(({ outcome }: Loose) => outcome.result)).toEqual([
      'upheld',
      'rejected',
    ]);
    expect(detail.rounds[0].outcome.votes).toEqual({
      upheld: 3,
      rejected: 1,
      insufficientEvidence: 0,
      notCounted: 2,
    });
    expect(await steps(detail)).toEqual([]);
  });

  const first = (change: (round: Loose) => void) => (value: Loose) => change(value.rounds[0]);
  const outcome = (change: (outcome: Loose) => void) => first((round) => change(round.outcome));
  const table: readonly (readonly [what: string, change: (value: Loose) => void, step: string])[] =
    [
      ['another question', first(({ frozen }) => (frozen.question = 'Something else?')), 'rounds'],
      ['evidence that was not there', first(({ frozen }) => frozen.evidence.pop()), '1 frozen'],
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
      ['a longer window', first(({ frozen }) => (frozen.closesAt = frozen.opensAt)), '1 frozen'],
      ['another verdict', outcome(({ ballots }) => (ballots[0].verdict = 'rejected')), '1 ballots'],
      ['another rationale', outcome(({ ballots }) => (ballots[0].rationale += '!')), '1 ballots'],
      ['a ballot twice', outcome(({ ballots }) => ballots.push(ballots[0])), '1 ballots'],
      [
        'a ballot of a party',
        first(({ frozen, outcome }) => (outcome.ballots[0].voterId = frozen.parties[0])),
        '1 ballots',
      ],
      ['a ballot left out', outcome(({ ballots }) => ballots.pop()), '1 result'],
      [
        'a ballot not counted for no reason',
        outcome(({ ballots }) => (ballots[0].counted = false)),
        '1 counting',
      ],
      [
        'an operator counted twice',
        outcome(({ ballots }) =>
          Object.assign(ballots[1], { counted: true, notCountedBecause: null }),
        ),
        '1 counting',
      ],
      [
        'another ballot of an operator counted',
        outcome(({ ballots }) =>
          Object.assign(ballots[0], { counted: false, notCountedBecause: 'operator_counted' }),
        ),
        '1 counting',
      ],
      ['another result', outcome((one) => (one.result = 'inconclusive')), '1 result'],
      ['other votes', outcome(({ votes }) => votes.upheld++), '1 result'],
      ['closed before its time', outcome((one) => (one.closedAt = detail.createdAt)), '1 result'],
      ['another digest', first((round) => (round.recordSha256 = '0'.repeat(64))), '1 record'],
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

  it.for(table)('[case.recompute] finds %s', async ([, change, wrong]) => {
    const changed = structuredClone(detail);
    change(changed);
    expect(await steps(changed)).toContain(wrong);
  });

  it('[case.recompute] is no case', async () => {
    for (const value of [null, 1, [], {}, { rounds: [null] }, { rounds: [{ frozen: null }] }])
      expect(await steps(value)).toEqual(['rounds']);
  });

  it('[case.recompute] [case.recompute-judged] asks for what was judged, and finds another one', {
    timeout: 60_000,
  }, async () => {
    const provenance = { source: 'third_party', note: 'Told by Ada.', threadId: id, messageId: id };
    expect(await stepsWith(detail, () => {})).toEqual([]);
    expect(await stepsWith(detail, ({ revisions }) => revisions.pop())).toEqual([
      ['2 judged', false],
    ]);
    expect(
      await stepsWith(detail, ({ revisions }) => (revisions[0].content.evidenceIds = [])),
    ).toEqual([['1 judged', false]]);
    expect(
      await stepsWith(detail, ({ revisions }) => (revisions[0].content.provenance = provenance)),
    ).toEqual([['1 judged', false]]);
    // What the author refers to may be hidden from who asks.
    expect(
      await stepsWith(detail, ({ revisions }) => (revisions[1].content.summary = 'Another.')),
    ).toEqual([['2 judged', null]]);
  });

  it('[case.recompute-judged] cannot tell what is hidden from who asks, and says so', {
    timeout: 60_000,
  }, async () => {
    const [author, target, opener] = (await together(3, () => f.agent())) as [
      TestAgent,
      TestAgent,
      TestAgent,
    ];
    const room = await f.room(author, 'private');
    const threadId = await f.thread(author, room);
    const { id: messageId } = await f.post(author, threadId, 'Here it is');
    const evidence = [
      { kind: 'message', messageId },
      { kind: 'statement', text: 'It is there.' },
    ];
    const recorded = await j.r.record(
      author,
      { agent: target.handle },
      { evidence, provenance: { source: 'first_hand', threadId } },
    );
    const { id: caseId } = await j.open(opener, recorded.id);
    const checks = async (apiKey?: string) => {
      const options = { at: app.url, issuer: app.url, apiKey };
      const found = await checkCase(
        await f.ok('GET', `/api/v1/adjudication/cases/${caseId}`, apiKey ? { key: apiKey } : {}),
        options,
      );
      // The receipt of the opening may wait for its place in the log.
      return found.flatMap(({ name, holds }) =>
        holds === true || name === '1 opening' ? [] : [[name, holds]],
      );
    };
    expect(await checks()).toEqual([
      ['1 evidence', null],
      ['1 judged', null],
    ]);
    expect(await checks(await f.keyWith(author, 'interactions'))).toEqual([]);
  });

  it('[case.recompute] stoa verify-case says so, with the receipts, and exits with 0 only if all agrees', {
    timeout: 120_000,
  }, async () => {
    const run = (args: string) => command(`verify-case ${args}`);
    const good = await run(`${id} --url ${app.url}`);
    expect(good, good.err).toMatchObject({ code: 0 });
    expect(good.out).toContain('Proven: what was frozen');
    expect(good.out.match(/is genuine, in the log/g)).toHaveLength(4);
    expect(good.out.match(/of the interaction is the one that was frozen/g)).toHaveLength(2);
    // The record is changed behind the service's back, digests and all: only the receipt tells.
    const { db } = app.app.env;
    await db.run(sql`ALTER TABLE adjudication_rounds DISABLE TRIGGER keep`);
    await db.run(
      sql`UPDATE adjudication_rounds SET outcome = jsonb_set(outcome, '{closedAt}', '"2030-01-01T00:00:00.000Z"') WHERE case_id = ${id} AND number = 2`,
    );
    const bad = await run(`${app.url}/api/v1/adjudication/cases/${id}`);
    const nowhere = await run(`${id} --url ${app.url} --issuer https://other.example`);
    const nothing = await run('x');
    expect(bad).toMatchObject({ code: 1 });
    expect(bad.out).toContain('NOT PROVEN');
    for (const wrong of [nowhere, nothing]) expect(wrong).toMatchObject({ code: 1 });
    expect(nothing.err).toContain('names no case');
  });
});
