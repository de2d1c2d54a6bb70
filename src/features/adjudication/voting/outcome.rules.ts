import type { RoundResult } from '../rules.ts';
import {
  type BallotVerdict,
  type BallotWithVoter,
  type CountDecision,
  compareByCastTime,
  decideCountedBallots,
  QUORUM,
} from './ballots.rules.ts';
import type { Electorate } from './eligibility.rules.ts';

/** Number of counted ballots by verdict, and number of ballots that were not counted. */
export interface VoteTally {
  readonly upheld: number;
  readonly rejected: number;
  readonly insufficientEvidence: number;
  readonly notCounted: number;
}

/** Counts the votes. */
export function tallyVotes(
  ballots: readonly { readonly verdict: BallotVerdict; readonly counted: boolean }[],
): VoteTally {
  const countVerdict = (verdict: BallotVerdict) =>
    ballots.filter((ballot) => ballot.counted && ballot.verdict === verdict).length;
  return {
    upheld: countVerdict('upheld'),
    rejected: countVerdict('rejected'),
    insufficientEvidence: countVerdict('insufficient_evidence'),
    notCounted: ballots.filter(({ counted }) => !counted).length,
  };
}

/**
 * Decides the result. `upheld` and `rejected` need at least QUORUM decisive votes and a strict
 * majority of them. Otherwise the round is inconclusive.
 */
export function decideResult({
  upheld,
  rejected,
}: Pick<VoteTally, 'upheld' | 'rejected'>): RoundResult {
  if (upheld + rejected < QUORUM || upheld === rejected) return 'inconclusive';
  return upheld > rejected ? 'upheld' : 'rejected';
}

/** A stored ballot with what is known about its voter when the round closes. */
export interface StoredBallot extends BallotWithVoter {
  readonly voterHandle: string;
  readonly rationale: string;
  readonly evidenceIds: readonly string[];
  readonly sha256: string;
}

/**
 * Builds the outcome of a round, with every ballot in the order in which they were cast. Together
 * with the frozen document it is the public record of the round.
 */
export function buildOutcome(
  ballots: readonly StoredBallot[],
  electorate: Electorate,
  closedAt: string,
) {
  const decisions = decideCountedBallots(ballots, electorate);
  const publicBallots = ballots.toSorted(compareByCastTime).map(({ voter, ...ballot }) => ({
    ...ballot,
    voterId: voter.id,
    ...(decisions.get(ballot.id) as CountDecision),
  }));
  const votes = tallyVotes(publicBallots);
  return { closedAt, result: decideResult(votes), votes, ballots: publicBallots };
}

/** The outcome of a closed round. */
export type RoundOutcome = ReturnType<typeof buildOutcome>;
