import { describe, expect, it } from 'vitest';
import { checkCase } from '../../../client/src/cases/check-case.ts';
import { verifyCase } from '../../../client/src/cases/verify-case.ts';
import { closeRounds } from '../../../src/features/adjudication/close-rounds.job.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json, runConcurrently, type TestAgent } from '../../support/factories.ts';
import { interactionSettings } from '../interactions/setup.ts';
import { adjudicationHelpers, adjudicationSettings, CASES, HOUR } from './setup.ts';

const app = await startApp(
  { ...interactionSettings, ...adjudicationSettings, LOAD_LIMITS: 'off' },
  { manualJobs: true },
);
const f = factories(app);
const j = adjudicationHelpers(f);

/** A rationale of 12,000 bytes, of which 512 KiB have 41. */
const LONG = '一'.repeat(4_000);
const VOTERS = 60;
const SHOWN = 41;

const voters = await j.createVoters(VOTERS);
const voteAtLength = async (caseId: string) => {
  const answers = await runConcurrently(VOTERS, (n) =>
    j.castVote(voters[n] as TestAgent, caseId, 'upheld', { rationale: LONG }),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
};
const closeDue = async () => {
  app.clock.advance(72 * HOUR);
  await app.app.jobs.runDue();
};

/** A case of two closed rounds with 60 long ballots each. */
const { id, author, interactionId } = await j.createCase();
await voteAtLength(id);
await closeDue();
const another = await j.addEvidence(author, interactionId);
await j.openRound(await f.createAgent(), id, [another]);
await voteAtLength(id);
await closeDue();
const answer = await f.send('GET', `${CASES}/${id}`);
const [first, second] = answer.body.rounds;
const listAll = async (round: number): Promise<Json[]> =>
  f.ok('GET', `${CASES}/${id}/rounds/${round}/ballots?limit=100`);

describe('a case with many long ballots', () => {
  it('[attack.18-2] (API4) shows the first of the newest round, and says what it left out', () => {
    expect(answer.text.length).toBeLessThan(800_000);
    expect(first.outcome).toMatchObject({ votes: { upheld: VOTERS }, ballots: [] });
    expect(first.ballotsLeftOut).toBe(VOTERS);
    expect(second.outcome.votes).toMatchObject({ upheld: VOTERS });
    expect(second.outcome.ballots).toHaveLength(SHOWN);
    expect(second.ballotsLeftOut).toBe(VOTERS - SHOWN);
  });

  it('[attack.18-2] has all of them in a list, in the order of the record', async () => {
    for (const round of [1, 2]) {
      const ballots = await listAll(round);
      expect(ballots).toHaveLength(VOTERS);
      expect(new Set(ballots.map(({ voterId }) => voterId)).size).toBe(VOTERS);
    }
    const ballots = await listAll(2);
    expect(ballots.slice(0, SHOWN)).toEqual(second.outcome.ballots);
    const page = await f.ok('GET', `${CASES}/${id}/rounds/2/ballots?before=${ballots[9]?.id}`);
    expect(page).toEqual(ballots.slice(10, 60));
  });

  it('[attack.18-2] is a page that says where the others are', async () => {
    const { status, text } = await f.send('GET', `/adjudication/${id}`);
    expect(status).toBe(200);
    expect(text).toContain('19 ballots are not shown here');
    expect(text).toContain('60 ballots are not shown here');
    expect(text.length).toBeLessThan(800_000);
  });

  it('[case.recompute] is checked with the ballots that were left out', async () => {
    const offline = await verifyCase(answer.body);
    expect(offline.filter(({ holds }) => holds !== true)).toMatchObject([
      { name: '1 complete', holds: null },
      { name: '2 complete', holds: null },
    ]);
    const options = { at: app.url };
    const checks = await checkCase(answer.body, options);
    expect(checks.filter(({ holds }) => holds !== true)).toEqual([]);
    expect(checks.map(({ name }) => name)).toContain('1 record');
    const changeBallots = (change: (ballots: Json[]) => Json[]) =>
      (async (address: string | URL | Request, init?: RequestInit) => {
        const found = await fetch(address, init);
        return String(address).includes('/ballots')
          ? Response.json(change((await found.json()) as Json[]))
          : found;
      }) as typeof fetch;
    const listWrong = async (change: (ballots: Json[]) => Json[]) =>
      (await checkCase(answer.body, { ...options, fetch: changeBallots(change) }))
        .filter(({ holds }) => holds === false)
        .map(({ name }) => name);
    expect(await listWrong((ballots) => ballots)).toEqual([]);
    expect(await listWrong(() => [])).toEqual(['ballots']);
    expect(await listWrong((ballots) => ballots.map((one) => ({ ...one, castAt: 7 })))).toEqual([
      'ballots',
    ]);
    expect(await listWrong((ballots) => [...ballots, ...ballots])).toEqual(['ballots']);
    expect(
      await listWrong((ballots) => ballots.map((one) => ({ ...one, verdict: 'rejected' }))),
    ).toContain('1 ballots');
    expect(await listWrong((ballots) => ballots.toReversed())).toContain('1 record');
  });

  it('[case.recompute] is not believed when it counts ballots that cannot be', async () => {
    const listWrong = async (change: (round: Json) => void) => {
      const changed = structuredClone(answer.body);
      change(changed.rounds[1]);
      const checks = await checkCase(changed, { at: app.url, issuer: app.url });
      return checks.filter(({ holds }) => holds === false).map(({ name }) => name);
    };
    for (const count of [-1, 1.5, 1_001, '1', null])
      expect(await listWrong((round) => (round.ballotsLeftOut = count))).toEqual(['rounds']);
    expect(await listWrong((round) => (round.ballotsLeftOut = 3))).toContain('2 complete');
    expect(await listWrong((round) => (round.outcome.votes.upheld = 'All of them'))).toEqual([
      'rounds',
    ]);
    const open = await j.createCase();
    const detail = await j.getCase(open.id);
    detail.rounds[0].ballotsLeftOut = 1;
    const checks = await checkCase(detail, { at: app.url });
    expect(checks).toMatchObject([{ name: 'rounds', holds: false }]);
  });

  it('[attack.18-2] lists ballots of closed rounds alone', async () => {
    const read = (round: number) => f.send('GET', `${CASES}/${id}/rounds/${round}/ballots`);
    expect((await read(3)).status).toBe(404);
    const more = await j.addEvidence(author, interactionId);
    await j.openRound(await f.createAgent(), id, [more]);
    await j.castVote(voters[0] as TestAgent, id);
    expect(await read(3)).toMatchObject({ status: 409, body: { state: 'open' } });
    expect((await f.ok('GET', `${CASES}/${id}`)).rounds[2].ballotsLeftOut).toBe(0);
    expect(await listAll(1)).toHaveLength(VOTERS);
  });

  it('[attack.18-3] (API4) closes in a transaction of its own', async () => {
    const cases = [await j.createCase(), await j.createCase()];
    for (const one of cases) await voteAtLength(one.id);
    app.clock.advance(72 * HOUR);
    const countClosed = async () => {
      const states = await Promise.all(cases.map((one) => j.getCase(one.id)));
      return states.filter(({ state }) => state === 'closed').length;
    };
    expect(await closeRounds(app.app.env)).toBe(true);
    expect(await countClosed()).toBe(1);
    expect(await closeRounds(app.app.env)).toBe(true);
    expect(await countClosed()).toBe(2);
  });
});
