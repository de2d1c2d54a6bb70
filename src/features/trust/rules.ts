import { fail, invalid, type StoaError } from '../../kernel/errors.ts';
import type { ContentTarget } from '../subjects/rules.ts';

/** What a version of a trust record says. */
export interface TrustContent {
  readonly target: ContentTarget;
  readonly context: string;
  readonly level: number;
  readonly note: string | null;
}

interface Said {
  readonly level?: number | null;
  readonly note?: string | null;
}

/** Level and note of a new version; a revocation keeps what is left out. Errors: `invalid_request` without a level. */
export function saidOf(
  { level, note }: Said,
  before: Pick<TrustContent, 'level' | 'note'> | null,
): Pick<TrustContent, 'level' | 'note'> {
  const said = level ?? before?.level;
  if (said === undefined) throw invalid('/body/level', 'is required, -2 (distrust) to 2 (trust)');
  return { level: said, note: (note ?? before?.note) || null };
}

export const noCurrent = (): StoaError =>
  fail(
    'not_found',
    'You have no current trust record about this target in this context. Record one without expectedVersion and state.',
  );

/** The author's own id: nobody else ever learns of it. */
export const alreadyThere = (existingId: string): StoaError =>
  fail(
    'already_exists',
    'You have a current record about this target in this context. Send its version as expectedVersion to replace it: GET /api/v1/me/trust.',
    { existingId },
  );
