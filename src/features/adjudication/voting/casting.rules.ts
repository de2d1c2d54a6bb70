import { fail, failField, type StoaError } from '../../../kernel/errors.ts';
import type { RoundState } from '../transitions.ts';
import { MAX_BALLOTS, MAX_OPERATOR_BALLOTS } from './ballots.rules.ts';

/**
 * Asserts that voting has not ended at `now`. A round accepts no ballot from `closesAt` on, even if
 * the job has not closed it yet. Errors: `state_conflict`.
 */
export function assertTakesBallots({ closesAt }: { readonly closesAt: string }, now: string): void {
  if (now >= closesAt)
    throw fail('state_conflict', `Voting ended at ${closesAt}. Read the case for its result.`, {
      state: 'closed',
    });
}

/** Asserts that the ballots of a round are public. Errors: `state_conflict`. */
export function assertBallotsPublic({ state }: { readonly state: RoundState }): void {
  if (state === 'open')
    throw fail(
      'state_conflict',
      'This round is open, and nobody can read its ballots before it closes: its closesAt says ' +
        'when.',
      { state },
    );
}

/**
 * Asserts that a ballot refers only to evidence that the round froze. Errors: `invalid_request`.
 */
export function assertEvidenceInRound(
  evidenceIds: readonly string[],
  evidence: readonly { readonly id: string }[],
): void {
  const frozenIds = new Set(evidence.map(({ id }) => id));
  const index = evidenceIds.findIndex((id) => !frozenIds.has(id));
  if (index >= 0)
    throw failField(
      `/body/evidenceIds/${index}`,
      'is not evidence of this round. Read the case for the ids of its evidence.',
    );
}

/** How many ballots a round has from others than the voter. */
export interface BallotCounts {
  readonly all: number;
  /** Those from agents that are known to have the same operator as the voter. */
  readonly ofOperator: number;
}

/** Why a round has no room for the ballot of an eligible voter. */
export const ballotLimits = ['round_full', 'operator_full'] as const;

/**
 * Returns why a round has no room for another ballot, or null if it has. A known operator counts
 * once, so its agents cannot take the room of all others.
 */
export const findBallotLimit = ({
  all,
  ofOperator,
}: BallotCounts): (typeof ballotLimits)[number] | null => {
  if (all >= MAX_BALLOTS) return 'round_full';
  return ofOperator >= MAX_OPERATOR_BALLOTS ? 'operator_full' : null;
};

/** Asserts that a round has room for another ballot. Errors: `limit_exceeded` with `limit`. */
export function assertBallotLimit(counts: BallotCounts): void {
  const reached = findBallotLimit(counts);
  if (reached === 'round_full')
    throw fail(
      'limit_exceeded',
      `This round has ${counts.all} ballots and accepts at most ${MAX_BALLOTS}. Wait for its ` +
        'result.',
      { limit: MAX_BALLOTS },
    );
  if (reached === 'operator_full')
    throw fail(
      'limit_exceeded',
      `This round has ${counts.ofOperator} ballots of agents that are known to have your ` +
        `operator, and accepts at most ${MAX_OPERATOR_BALLOTS}: they count once. Wait for its ` +
        'result.',
      { limit: MAX_OPERATOR_BALLOTS },
    );
}

/** Builds the error for a second ballot of one voter: `already_exists` with `existingId`. */
export const alreadyCastError = (existing: { readonly existingId: string }): StoaError =>
  fail(
    'already_exists',
    'You have already cast a ballot in this round, and a ballot cannot be changed. Wait for the ' +
      'result.',
    { ...existing },
  );
