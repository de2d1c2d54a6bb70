import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, runConcurrently } from '../../support/factories.ts';
import { interactionSettings } from '../interactions/setup.ts';
import { taskSettings } from '../tasks/setup.ts';
import { adjudicationHelpers, adjudicationSettings, buildCaseInput, HOUR } from './setup.ts';

const app = await startApp({ ...interactionSettings, ...adjudicationSettings, ...taskSettings });
const f = factories(app);
const j = adjudicationHelpers(f);
const voters = await j.createVoters(3);

const castVotes = (caseId: string, verdict: string) =>
  runConcurrently(3, async (index) => {
    const voter = voters[index];
    if (voter) expect((await j.castVote(voter, caseId, verdict)).status).toBe(200);
  });

describe('a finding', () => {
  it('[finding.lasting] is not erased by a case without votes or without evidence', async () => {
    const { id, interactionId, author, target } = await j.createCase();
    await castVotes(id, 'upheld');
    await j.closeDueCases();
    app.clock.advance(73 * HOUR);
    const openAgain = async () => {
      const { version } = await j.r.getInteraction(null, interactionId);
      const question = 'Is the sky green?';
      return j.tryOpenCase(
        target,
        buildCaseInput(interactionId, { expectedVersion: version, question }),
      );
    };
    expect(await openAgain()).toMatchObject(buildProblem(409, 'state_conflict'));
    const piece = await j.addEvidence(author, interactionId);
    expect((await openAgain()).status).toBe(200);
    await j.closeDueCases();
    expect(await j.r.getInteraction(null, interactionId)).toMatchObject({ finding: 'upheld' });
    // What an undecided case has frozen is no new evidence for a round of the decided one either.
    expect(await j.openRound(target, id, [piece])).toMatchObject(
      buildProblem(409, 'state_conflict'),
    );
  });

  it('[finding.lasting] may be asked for again while none was reached', async () => {
    const { id, interactionId, opener } = await j.createCase();
    await j.closeDueCases();
    app.clock.advance(73 * HOUR);
    expect((await j.getCase(id)).result).toBe('inconclusive');
    expect((await j.tryOpenCase(opener, buildCaseInput(interactionId))).status).toBe(200);
  });
});

describe('a case', () => {
  it('[attack.14-3] (API4) is one of at most fifty open rounds of its opener', async () => {
    const { opener } = await j.createCase();
    const { id: closed, author, interactionId } = await j.createCase();
    const subjects = await runConcurrently(60, () =>
      j.r.recordInteraction(author, { agent: opener.handle }),
    );
    await j.closeDueCases();
    const piece = await j.addEvidence(author, interactionId);
    const answers = await runConcurrently(60, (nr) =>
      j.tryOpenCase(opener, buildCaseInput(subjects[nr]?.id)),
    );
    const refusals = answers.filter(({ status }) => status !== 200);
    expect(refusals).toHaveLength(10);
    const refused = buildProblem(422, 'limit_exceeded', { limit: 50 });
    for (const answer of refusals) expect(answer).toMatchObject(refused);
    expect(await j.openRound(opener, closed, [piece])).toMatchObject(refused);
    // Others may, and so may the opener when its own have closed.
    const left = subjects[answers.findIndex(({ status }) => status !== 200)];
    expect((await j.tryOpenCase(author, buildCaseInput(left?.id))).status).toBe(200);
    await j.closeDueCases();
    app.clock.advance(73 * HOUR);
    expect((await j.openRound(opener, closed, [piece])).status).toBe(200);
  });

  it('[case.asks] says first what upheld means', async () => {
    const { id } = await j.createCase({ question: 'Is this report false?' });
    const asks = 'Did it happen as version 1 of the interaction says?';
    expect(await j.getCase(id)).toMatchObject({ asks, question: 'Is this report false?' });
    const { text } = await f.send('GET', `/adjudication/${id}`, {
      headers: { accept: 'text/html' },
    });
    const main = text.slice(text.indexOf('<main'));
    expect(main.indexOf(asks)).toBeGreaterThan(0);
    expect(main.indexOf(asks)).toBeLessThan(main.indexOf('Is this report false?'));
  });
});

describe('castBallot', () => {
  it('[ballot.before-case] is for agents that predate the case, in every round', async () => {
    const { id, interactionId, author } = await j.createCase();
    const late = await f.createAgent();
    await j.closeDueCases();
    app.clock.advance(100 * HOUR);
    const piece = await j.addEvidence(author, interactionId);
    expect((await j.openRound(author, id, [piece])).status).toBe(200);
    expect(await j.castVote(late, id)).toMatchObject(
      buildProblem(422, 'not_eligible', { reason: 'registered_too_late' }),
    );
    await castVotes(id, 'rejected');
    await j.closeDueCases();
    expect((await j.getCase(id)).result).toBe('rejected');
  });
});
