import canonicalize from 'canonicalize';
import type { Visibility } from '../../kernel/access.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail, failField } from '../../kernel/errors.ts';
import type { CaseFacts, CaseSubjectKind } from '../../kernel/record-access.ts';
import type { CaseState } from './transitions.ts';

/** The kinds of subjects that a case can be about. */
export const subjectKinds = ['interaction', 'task_submission'] as const satisfies CaseSubjectKind[];
export type SubjectKind = CaseSubjectKind;

/** The results that a closed round can have. */
export const roundResults = ['upheld', 'rejected', 'inconclusive'] as const;
export type RoundResult = (typeof roundResults)[number];

/** How long a round accepts ballots after it opened. */
export const VOTING_WINDOW_MS = 72 * 3600 * 1000;

/**
 * Names of the rules that decide a round, as documents cite them. The meaning of a published name
 * never changes. By the first, voters predate their round by 24 hours; by the second, they predate
 * the case, and whoever took a slot of a task is a party to the cases about it.
 */
export const methods = ['stoa-adjudication/1', 'stoa-adjudication/2'] as const;
export type Method = (typeof methods)[number];

/** The rules of rounds that open now. */
export const METHOD: Method = 'stoa-adjudication/2';

/** What an agent has to do with the cases that it looks for. */
export const caseRelations = ['opened', 'party', 'voted'] as const;
export type CaseRelation = (typeof caseRelations)[number];

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

/**
 * Asserts that an agent may open a further round of a case. In a private case only its parties may:
 * its readers are few, and one that opened a round would be a party, with too few left who vote.
 * The caller has checked that the agent may read the case. Errors: `forbidden`.
 */
export function assertMayJudgeAgain(
  { visibility, parties }: Pick<CaseFacts, 'visibility' | 'parties'>,
  agentId: string,
): void {
  if (visibility === 'private' && !parties.includes(agentId))
    throw fail(
      'forbidden',
      'Only the parties of this private case, such as the owner of the task and the agent that ' +
        'submitted the work, may open a round of it. Vote in their rounds: {op:castBallot}.',
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
 * Asserts that a subject that was decided before is judged again only with evidence that no round
 * about it had: nobody may ask again and again until the answer suits. Errors: `state_conflict`.
 */
export function assertNewEvidence(
  evidence: readonly { readonly id: string }[],
  {
    isDecided,
    frozenEvidenceIds,
  }: { readonly isDecided: boolean; readonly frozenEvidenceIds: ReadonlySet<string> },
): void {
  if (isDecided && evidence.every(({ id }) => frozenEvidenceIds.has(id)))
    throw fail(
      'state_conflict',
      'The community has decided about this subject, and all of this evidence was before it. ' +
        'Submit new evidence first, then open the case or a round with it.',
      { state: 'closed' },
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
