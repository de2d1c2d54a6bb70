import {
  type Electorate,
  findIneligibility,
  ineligibilityReasons,
  type Voter,
} from './eligibility.rules.ts';

/** The verdicts that a ballot can have. */
export const ballotVerdicts = ['upheld', 'rejected', 'insufficient_evidence'] as const;
export type BallotVerdict = (typeof ballotVerdicts)[number];

/** Number of decisive votes that every result except `inconclusive` needs. */
export const QUORUM = 3;
/** Ballots that one round accepts. One record and one digest has all of them. */
export const MAX_BALLOTS = 1_000;
/**
 * Ballots of one known operator that a round accepts. Only the earliest eligible one counts. If its
 * voter is no longer eligible when the round closes, the next one counts instead.
 */
export const MAX_OPERATOR_BALLOTS = 10;
/** Bytes of ballots that a case shows in all: one answer is built in one piece. */
export const SHOWN_BALLOT_BYTES = 512 * 1024;

/** A ballot as its voter states it. The digest of a ballot covers exactly these members. */
export interface Vote {
  readonly caseId: string;
  readonly round: number;
  readonly voterId: string;
  readonly verdict: BallotVerdict;
  readonly rationale: string;
  readonly evidenceIds: readonly string[];
  readonly castAt: string;
}

/** A ballot with what is known about its voter when the round closes. */
export interface BallotWithVoter {
  readonly id: string;
  readonly castAt: string;
  readonly verdict: BallotVerdict;
  readonly voter: Voter;
}

/** Why a ballot was not counted. */
export const notCountedReasons = [...ineligibilityReasons, 'operator_counted'] as const;

/** Whether a ballot counts, and if not, why. */
export interface CountDecision {
  readonly counted: boolean;
  readonly notCountedBecause: (typeof notCountedReasons)[number] | null;
  /**
   * A label that ballots of one known operator share if there are several. It has no meaning
   * outside of this round.
   */
  readonly group: string | null;
}

/** Compares ballots by the time when they were cast, then by id. */
export function compareByCastTime(a: BallotWithVoter, b: BallotWithVoter): number {
  if (a.castAt === b.castAt) return a.id < b.id ? -1 : 1;
  return a.castAt < b.castAt ? -1 : 1;
}

/**
 * Decides which ballots of a round count. Returns the decisions by ballot id, in the order in which
 * the ballots were cast. Of the eligible ballots of one known operator only the earliest counts. A
 * group gets a label only if at least two of its ballots are eligible, so that the record reveals
 * no more about operators than the result depends on.
 */
export function decideCountedBallots(
  ballots: readonly BallotWithVoter[],
  electorate: Electorate,
): ReadonlyMap<string, CountDecision> {
  const ordered = ballots.toSorted(compareByCastTime).map(({ id, voter }) => ({
    id,
    group: voter.group,
    ineligibility: findIneligibility(voter, electorate),
  }));
  const members = new Map<string, string[]>();
  for (const { id, group, ineligibility } of ordered)
    if (group !== null && ineligibility === null)
      members.set(group, [...(members.get(group) ?? []), id]);
  const sharedGroups = [...members].flatMap(([group, ids]) => (ids.length > 1 ? [group] : []));
  return new Map(
    ordered.map(({ id, group, ineligibility }) => {
      const label = group === null || ineligibility !== null ? -1 : sharedGroups.indexOf(group);
      const earliest = group === null ? id : members.get(group)?.[0];
      const notCountedBecause = ineligibility ?? (earliest === id ? null : 'operator_counted');
      return [
        id,
        {
          counted: notCountedBecause === null,
          notCountedBecause,
          group: label < 0 ? null : `g${label + 1}`,
        },
      ];
    }),
  );
}
