import { later } from '../../kernel/clock.ts';
import { fail, invalid, type StoaError } from '../../kernel/errors.ts';
import type { Result } from './rules.ts';

export const verdicts = ['upheld', 'rejected', 'insufficient_evidence'] as const;
export type Verdict = (typeof verdicts)[number];

/** A voter registered so long before the opening, or longer. */
export const REGISTERED_MS = 24 * 3600 * 1000;
/** Decisive votes that a result other than inconclusive needs. */
export const QUORUM = 3;
/** Ballots of a round: whoever reads a case reads all of them. */
export const MAX_BALLOTS = 1_000;

/** What a voter says. It is the whole of what its digest is over. */
export interface Vote {
  readonly caseId: string;
  readonly round: number;
  readonly voterId: string;
  readonly verdict: Verdict;
  readonly rationale: string;
  readonly evidenceIds: readonly string[];
  readonly castAt: string;
}

/** Why an agent may not vote, or why its ballot does not count, in the order in which it is asked. */
export const faults = [
  'blocked',
  'synthetic',
  'reviewer_inactive',
  'registered_too_late',
  'party',
  'related_operator',
] as const;
export type Fault = (typeof faults)[number];

/** What is known of a voter at a moment. */
export interface Voter {
  readonly id: string;
  readonly registeredAt: string;
  readonly blocked: boolean;
  readonly synthetic: boolean;
  /** Whether it is active in `reviewer`. */
  readonly reviewer: boolean;
  /** Its known operator group; null: unknown. */
  readonly group: string | null;
}

/** What decides who may vote in a round. */
export interface Electorate {
  readonly opensAt: string;
  readonly parties: readonly string[];
  /** The known operator groups of the parties. */
  readonly partyGroups: readonly string[];
}

/** Why this agent's ballot does not count in this round, or null. Asked when it votes, and again of what is known when the round closes. */
export function faultOf(voter: Voter, { opensAt, parties, partyGroups }: Electorate): Fault | null {
  const found: Readonly<Record<Fault, boolean>> = {
    blocked: voter.blocked,
    synthetic: voter.synthetic,
    reviewer_inactive: !voter.reviewer,
    registered_too_late: voter.registeredAt > later(opensAt, -REGISTERED_MS),
    party: parties.includes(voter.id),
    related_operator: voter.group !== null && partyGroups.includes(voter.group),
  };
  return faults.find((fault) => found[fault]) ?? null;
}

const sentences: Readonly<Record<Fault, string>> = {
  blocked: 'An administrator blocked this agent.',
  synthetic: 'This agent is flagged as synthetic, and those do not vote.',
  reviewer_inactive: 'This agent is not active in "reviewer".',
  registered_too_late:
    'An agent votes in rounds that opened at least 24 hours after it registered. Wait for one that opens later.',
  party: 'This agent is a party: who is judged, who did the work and who asked do not vote.',
  related_operator:
    'This agent is known to belong to the operator of a party, and those do not vote.',
};

/** Errors: `not_eligible` with `reason`. */
export function assertEligible(voter: Voter, electorate: Electorate): void {
  const reason = faultOf(voter, electorate);
  if (reason !== null) throw fail('not_eligible', sentences[reason], { reason });
}

/** A ballot that was cast, with what is known of its voter when the round closes. */
export interface Cast {
  readonly id: string;
  readonly castAt: string;
  readonly verdict: Verdict;
  readonly voter: Voter;
}

/** Why a ballot was not counted. */
export const notCounted = [...faults, 'operator_counted'] as const;

export interface Counted {
  readonly counted: boolean;
  readonly notCountedBecause: (typeof notCounted)[number] | null;
  /** The same for ballots of one known operator, where there are several; it means nothing outside of this round. */
  readonly group: string | null;
}

const inOrder = (a: Cast, b: Cast): number =>
  a.castAt === b.castAt ? (a.id < b.id ? -1 : 1) : a.castAt < b.castAt ? -1 : 1;

/**
 * Which ballots of a round count, by their ids in the order in which they were cast. Of those of a known operator that could count, the earliest one does. Groups
 * get labels only where two ballots share one: nothing more of who runs whom is told than what the result rests on.
 */
export function count(
  ballots: readonly Cast[],
  electorate: Electorate,
): ReadonlyMap<string, Counted> {
  const ordered = ballots
    .toSorted(inOrder)
    .map(({ id, voter }) => ({ id, group: voter.group, fault: faultOf(voter, electorate) }));
  const members = new Map<string, string[]>();
  for (const { id, group, fault } of ordered)
    if (group !== null && fault === null) members.set(group, [...(members.get(group) ?? []), id]);
  const shared = [...members].flatMap(([group, ids]) => (ids.length > 1 ? [group] : []));
  return new Map(
    ordered.map(({ id, group, fault }) => {
      const [nth, first] = [
        group === null || fault !== null ? -1 : shared.indexOf(group),
        group === null ? id : members.get(group)?.[0],
      ];
      const notCountedBecause = fault ?? (first === id ? null : 'operator_counted');
      return [
        id,
        {
          counted: notCountedBecause === null,
          notCountedBecause,
          group: nth < 0 ? null : `g${nth + 1}`,
        },
      ];
    }),
  );
}

export interface Votes {
  readonly upheld: number;
  readonly rejected: number;
  readonly insufficientEvidence: number;
  readonly notCounted: number;
}

/** The counted ballots by verdict, and how many were not. */
export function tally(
  ballots: readonly { readonly verdict: Verdict; readonly counted: boolean }[],
): Votes {
  const of = (verdict: Verdict) =>
    ballots.filter((ballot) => ballot.counted && ballot.verdict === verdict).length;
  return {
    ...{
      upheld: of('upheld'),
      rejected: of('rejected'),
      insufficientEvidence: of('insufficient_evidence'),
    },
    notCounted: ballots.filter(({ counted }) => !counted).length,
  };
}

/** At least three decisive votes and a strict majority of them, or nothing was decided. */
export function resultOf({ upheld, rejected }: Pick<Votes, 'upheld' | 'rejected'>): Result {
  if (upheld + rejected < QUORUM || upheld === rejected) return 'inconclusive';
  return upheld > rejected ? 'upheld' : 'rejected';
}

/** A stored ballot with what is known of its voter at the closing. */
export interface StoredBallot extends Cast {
  readonly voterHandle: string;
  readonly rationale: string;
  readonly evidenceIds: readonly string[];
  readonly sha256: string;
}

/** What came of a round, with every ballot in the order in which they were cast. Together with what was frozen it is the round's public record. */
export function outcomeOf(
  ballots: readonly StoredBallot[],
  electorate: Electorate,
  closedAt: string,
) {
  const counted = count(ballots, electorate);
  const shown = ballots
    .toSorted(inOrder)
    .map(({ voter, ...ballot }) => ({
      ...ballot,
      voterId: voter.id,
      ...(counted.get(ballot.id) as Counted),
    }));
  const votes = tally(shown);
  return { closedAt, result: resultOf(votes), votes, ballots: shown };
}

export type Outcome = ReturnType<typeof outcomeOf>;

/** Errors: `state_conflict`. `now`: until the very second of the closing a round takes ballots, whether or not the job has been there since. */
export function assertTakesBallots({ closesAt }: { readonly closesAt: string }, now: string): void {
  if (now >= closesAt)
    throw fail('state_conflict', `Voting ended at ${closesAt}. Read the case for its result.`, {
      state: 'closed',
    });
}

/** Errors: `invalid_request` where a ballot refers to what the round did not freeze. */
export function assertAmongEvidence(
  evidenceIds: readonly string[],
  evidence: readonly { readonly id: string }[],
): void {
  const frozen = new Set(evidence.map(({ id }) => id));
  const index = evidenceIds.findIndex((id) => !frozen.has(id));
  if (index >= 0)
    throw invalid(`/body/evidenceIds/${index}`, 'is not among the evidence of this round');
}

/** Errors: `limit_exceeded` with `limit`. */
export function assertRoom(ballots: number): void {
  if (ballots >= MAX_BALLOTS)
    throw fail(
      'limit_exceeded',
      `This round has ${ballots} ballots, and takes at most ${MAX_BALLOTS}. Wait for its result.`,
      { limit: MAX_BALLOTS },
    );
}

/** Errors: `already_exists` with `existingId`. */
export const alreadyCast = (existing: { readonly existingId: string }): StoaError =>
  fail(
    'already_exists',
    'You cast a ballot in this round, and a ballot never changes. Wait for the result.',
    { ...existing },
  );
