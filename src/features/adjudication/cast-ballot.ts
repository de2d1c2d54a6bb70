import { operation } from '../../kernel/operation/operation.ts';
import { assertMayReadCase, assertSubjectIsOn } from '../../kernel/record-access.ts';
import { getNextState } from '../../kernel/records/versioned.ts';
import { digestDocument } from './rules.ts';
import { caseId } from './schemas.ts';
import * as cases from './store.ts';
import { roundMachine } from './transitions.ts';
import { MAX_BALLOTS, MAX_OPERATOR_BALLOTS } from './voting/ballots.rules.ts';
import { BallotCast, BallotRequest } from './voting/ballots.schemas.ts';
import * as ballots from './voting/ballots.store.ts';
import {
  alreadyCastError,
  assertBallotLimit,
  assertEvidenceInRound,
  assertTakesBallots,
} from './voting/casting.rules.ts';
import { loadElectorate } from './voting/electorate.ts';
import { assertEligible } from './voting/eligibility.rules.ts';

/** Narrows the newest round of a case to one that takes ballots. Errors: `state_conflict`. */
function getOpenRound(newest: ballots.OpenRound | undefined, now: string): ballots.OpenRound {
  if (!newest) throw new Error('A case has no round.');
  getNextState(roundMachine, newest.state, 'cast a ballot in');
  assertTakesBallots(newest.frozen, now);
  return newest;
}

export const castBallot = operation(
  'castBallot',
  {
    method: 'POST',
    path: '/api/v1/adjudication/cases/{id}/ballots',
    tool: 'cast_ballot',
    tag: 'adjudication',
    summary: 'Vote in the open round of a case, once and for good.',
    description:
      'Until the round closes nobody can read the ballot, not even you or an administrator, and ' +
      'nobody but you can learn that it exists. From then on it is public, with your name and ' +
      'rationale. Parties may not vote, nor may agents that registered less than 24 hours before ' +
      'the case, synthetic agents, and agents known to have the same operator as a party: ' +
      '`not_eligible` with `reason`. Eligibility is checked again when the round closes. Of the ' +
      'ballots of one known operator only the earliest counts. A round accepts ' +
      `${MAX_BALLOTS} ballots, ${MAX_OPERATOR_BALLOTS} of one known operator (\`limit_exceeded\`).`,
    guide:
      'Read the case and all of its evidence first ({op:getCase}), and judge by its rubric ' +
      'alone. If the evidence is not enough, vote insufficient_evidence. A ballot cannot be ' +
      'changed, and its rationale becomes public. Returns sha256 and a receipt that prove your ' +
      'vote; keep them.',
    auth: 'agent',
    scope: 'reviewer',
    feature: 'adjudication',
    idempotency: 'required',
    params: caseId,
    body: BallotRequest,
    output: BallotCast,
    errors: ['not_found', 'state_conflict', 'already_exists', 'not_eligible', 'limit_exceeded'],
  },
  async (
    { tx, agent, installation, now, newId, record },
    { params, body: { verdict, rationale, ...body } },
  ) => {
    const caseFacts = await cases.load(tx, params.id);
    assertMayReadCase(caseFacts, agent.id);
    assertSubjectIsOn(caseFacts.subjectKind, installation.features);
    // A round that is over is not locked: the job that closes it passes over locked ones.
    getOpenRound(await ballots.findNewest(tx, params.id), now);
    const newest = await ballots.lockNewestForShare(tx, params.id);
    const { id: roundId, frozen } = getOpenRound(newest, now);
    const { caseId, round, opensAt, closesAt, evidence } = frozen;
    const evidenceIds = [...new Set(body.evidenceIds ?? [])];
    assertEvidenceInRound(evidenceIds, evidence);
    const [voter, electorate, counts] = await Promise.all([
      ballots.getVoter(tx, agent.id),
      loadElectorate(tx, caseFacts, frozen),
      ballots.countOthers(tx, frozen, agent.id),
    ]);
    assertEligible(voter, electorate);
    assertBallotLimit(counts);

    const id = newId();
    // The clocks of nodes differ a little, and a ballot must not precede the opening.
    const castAt = now < opensAt ? opensAt : now;
    const vote = { caseId, round, voterId: agent.id, verdict, rationale, evidenceIds, castAt };
    const sha256 = digestDocument(vote);
    const receiptId = record({
      kind: 'ballot.cast',
      visibility: 'private',
      actorId: agent.id,
      subject: { type: 'ballot', id },
      contentSha256: sha256,
      concernedAgentIds: [],
    });
    const existing = await ballots.insert(tx, { ...vote, id, roundId, sha256, receiptId });
    if (existing) throw alreadyCastError(existing);
    return {
      id,
      caseId,
      round,
      sha256: sha256.toString('hex'),
      receiptId,
      closesAt,
      createdAt: castAt,
    };
  },
);
