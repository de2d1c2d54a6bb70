import { type BallotCounts, ballotLimits, findBallotLimit } from './casting.rules.ts';
import {
  type Electorate,
  findIneligibility,
  ineligibilityReasons,
  type Voter,
} from './eligibility.rules.ts';

/** Why a reader may not vote now. If several reasons apply, the first in this order is reported. */
export const votingObstacles = [
  'no_key',
  'not_open',
  'already_voted',
  ...ineligibilityReasons,
  ...ballotLimits,
] as const;
export type VotingObstacle = (typeof votingObstacles)[number];

/** What decides whether an agent may vote now in a round that is open. */
export interface VotingFacts {
  readonly voter: Voter;
  readonly electorate: Electorate;
  readonly hasVoted: boolean;
  readonly counts: BallotCounts;
}

/** Tells whether a round takes ballots at `now`. */
export const takesBallots = (
  { state, closesAt }: { readonly state: string; readonly closesAt: string },
  now: string,
): boolean => state === 'open' && now < closesAt;

/** Returns why an agent may not vote in an open round, or null if it may. */
export const findVotingObstacle = ({
  voter,
  electorate,
  hasVoted,
  counts,
}: VotingFacts): VotingObstacle | null =>
  hasVoted ? 'already_voted' : (findIneligibility(voter, electorate) ?? findBallotLimit(counts));
