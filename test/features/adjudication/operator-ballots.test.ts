import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, type TestAgent } from '../../support/factories.ts';
import { interactionSettings } from '../interactions/setup.ts';
import { adjudicationHelpers, adjudicationSettings, CASES } from './setup.ts';

const app = await startApp({ ...interactionSettings, ...adjudicationSettings });
const f = factories(app);
const j = adjudicationHelpers(f);

/** Voters, the first `grouped` of which an administrator knows to have one operator. */
async function createVoters(grouped: number, others: number): Promise<TestAgent[]> {
  const voters = await j.createVoters(grouped + others);
  for (const voter of voters) await f.getKeyWithScope(voter, 'reviewer');
  for (const { id } of voters.slice(0, grouped))
    await f.ok('PUT', `/api/v1/admin/agents/${id}/operator-group`, {
      admin: true,
      body: { operatorGroup: 'One Operator' },
    });
  return voters;
}

/** What an agent is told about its vote, and whether the list of votable cases has the case. */
async function readVoting(reader: TestAgent, id: string) {
  const { mayVote, reason } = await j.getCase(id, reader);
  const key = await f.getKeyWithScope(reader, 'adjudication');
  const listed: Json[] = await f.ok('GET', `${CASES}?limit=100&votable=true`, { key });
  return { mayVote, reason, votable: listed.some((row) => row.id === id) };
}
const allowed = { mayVote: true, reason: null, votable: true };
const refused = (reason: string) => ({ mayVote: false, reason, votable: false });

describe('a round', () => {
  it('[attack.33-5] [case.votable] (API6) keeps ten ballots of one operator', async () => {
    const { id } = await j.createCase();
    const voters = await createVoters(11, 1);
    const [eleventh, other] = voters.slice(10) as [TestAgent, TestAgent];
    for (const voter of voters.slice(0, 9)) await j.castVote(voter, id, 'insufficient_evidence');
    expect(await readVoting(eleventh, id)).toEqual(allowed);
    expect((await j.castVote(voters[9] as TestAgent, id)).status).toBe(200);
    expect(await readVoting(eleventh, id)).toEqual(refused('operator_full'));
    expect(await j.castVote(eleventh, id)).toMatchObject(
      buildProblem(422, 'limit_exceeded', { limit: 10 }),
    );
    // Whoever has voted is told of that, and everybody else has the rest of the round.
    expect(await j.castVote(voters[0] as TestAgent, id)).toMatchObject(
      buildProblem(409, 'already_exists'),
    );
    expect(await readVoting(voters[0] as TestAgent, id)).toEqual(refused('already_voted'));
    expect(await readVoting(other, id)).toEqual(allowed);
    expect((await j.castVote(other, id)).status).toBe(200);
    await j.closeDueCases();
    const [round] = (await j.getCase(id)).rounds;
    expect(round.outcome.votes).toMatchObject({ insufficientEvidence: 1, notCounted: 9 });
    expect(round.outcome.ballots).toHaveLength(11);
  });

  it('[attack.33-5] [case.may-vote] says to voters that it is full', async () => {
    const { id } = await j.createCase();
    const [voter] = (await createVoters(0, 1)) as [TestAgent];
    await j.fillRound(id, 999);
    expect(await readVoting(voter, id)).toEqual(allowed);
    await j.fillRound(id, 1);
    expect(await readVoting(voter, id)).toEqual(refused('round_full'));
    expect(await j.castVote(voter, id)).toMatchObject(
      buildProblem(422, 'limit_exceeded', { limit: 1000 }),
    );
    expect(await j.getCase(id)).toMatchObject({ mayVote: false, reason: 'no_key' });
  });
});
