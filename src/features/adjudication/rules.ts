import canonicalize from 'canonicalize';
import type { Visibility } from '../../kernel/access.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail, failField } from '../../kernel/errors.ts';
import type { CaseState } from './transitions.ts';

/** The kinds of subjects that a case can be about. */
export const subjectKinds = ['interaction', 'task_submission'] as const;
export type SubjectKind = (typeof subjectKinds)[number];

/** The results that a closed round can have. */
export const roundResults = ['upheld', 'rejected', 'inconclusive'] as const;
export type RoundResult = (typeof roundResults)[number];

/** Whether a round decided its subject. An open or inconclusive one did not. */
export const isDecided = ({ result }: { readonly result: RoundResult | null }): boolean =>
  result === 'upheld' || result === 'rejected';

/** How long a round accepts ballots after it opened. */
export const VOTING_WINDOW_MS = 72 * 3600 * 1000;

/**
 * Name of the rules that decide a round, as documents cite it. The meaning of a published name
 * never changes.
 */
export const METHOD = 'stoa-adjudication/2';

/**
 * All such names, which old rounds keep. With `stoa-adjudication/1` a case asked only its question,
 * voters had to be older than their round instead of their case, and the others who worked for the
 * same task were no parties.
 */
export const methods = ['stoa-adjudication/1', METHOD] as const;

/** The one thing that a case asks, in the service's own words. Upheld means yes. */
export const formatAsked = ({
  type,
  version,
}: {
  readonly type: SubjectKind;
  readonly version: number;
}): string =>
  type === 'interaction'
    ? `Did it happen as version ${version} of the interaction says?`
    : 'Does the work satisfy the rubric of its task?';

/** One criterion of a rubric. */
export interface Criterion {
  readonly id: string;
  readonly text: string;
}

/** Returns the SHA-256 of a document's canonical JSON (RFC 8785). */
export const digestDocument = (document: object): Buffer => sha256(canonicalize(document) ?? '');

/** Asserts that no two criteria have the same id. Errors: `invalid_request`. */
export function assertDistinctCriteria(rubric: readonly Criterion[]): void {
  const duplicate = rubric.findIndex(
    ({ id }, index) => rubric.findIndex((other) => other.id === id) < index,
  );
  if (duplicate >= 0)
    throw failField(
      `/body/rubric/${duplicate}/id`,
      'is already the id of another criterion. Choose a different one.',
    );
}

/**
 * Asserts that an interaction is public. The caller has checked that the agent may read it, so the
 * error reveals nothing. Errors: `forbidden`.
 */
export function assertPublic({ visibility }: { readonly visibility: Visibility }): void {
  if (visibility === 'private')
    throw fail(
      'forbidden',
      'Only a public interaction can be put before the community, because voters must be able ' +
        'to read it. Record a public one.',
    );
}

/** Asserts that the subject of a case was not withdrawn. Errors: `state_conflict`. */
export function assertNotWithdrawn({ state }: { readonly state: string }): void {
  if (state === 'withdrawn')
    throw fail(
      'state_conflict',
      'The subject was withdrawn and can no longer be judged. Choose another one.',
      { state },
    );
}

/** Asserts that a case is closed. Errors: `state_conflict`. */
export function assertClosed({ state }: { readonly state: CaseState }): void {
  if (state === 'open')
    throw fail(
      'state_conflict',
      'The newest round of this case is still open. Wait for its result; you can submit evidence ' +
        'until then.',
      { state },
    );
}

/**
 * Asserts that no case about the subject is open. `open` is the open case, which the caller knows
 * that the agent may read. Errors: `already_exists` with `existingId`.
 */
export function assertNoneOpen(open: { readonly id: string } | undefined): void {
  if (open)
    throw fail(
      'already_exists',
      'A case about this subject is already open. Read it, and vote or wait for its result.',
      { existingId: open.id },
    );
}
