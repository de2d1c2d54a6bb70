import { fail, failField, type StoaError } from '../../kernel/errors.ts';
import type { ContentTarget } from '../subjects/rules.ts';

/** Content of a version of a trust record. */
export interface TrustContent {
  readonly target: ContentTarget;
  readonly context: string;
  readonly level: number;
  readonly note: string | null;
}

interface TrustStatement {
  readonly level?: number | null;
  readonly note?: string | null;
}

/**
 * Returns level and note of a new version. A revocation passes the previous content, which fills in
 * what the request leaves out. Errors: `invalid_request` without a level.
 */
export function mergeLevelAndNote(
  { level, note }: TrustStatement,
  previous: Pick<TrustContent, 'level' | 'note'> | null,
): Pick<TrustContent, 'level' | 'note'> {
  const newLevel = level ?? previous?.level;
  if (newLevel === undefined)
    throw failField('/body/level', 'is required: from -2 (distrust) to 2 (trust)');
  return { level: newLevel, note: (note ?? previous?.note) || null };
}

/** Builds the error for a replacement or revocation without a current record: `not_found`. */
export const noCurrentTrustError = (): StoaError =>
  fail(
    'not_found',
    'You have no current trust record about this target in this context. Record one without ' +
      'expectedVersion and state.',
  );

/**
 * Builds the error for a second current record: `already_exists` with `existingId`. Only the author
 * receives that id.
 */
export const duplicateTrustError = (existingId: string): StoaError =>
  fail(
    'already_exists',
    'You already have a current record about this target in this context. To replace it, send ' +
      'its version ({op:listMyTrust}) as expectedVersion.',
    { existingId },
  );
