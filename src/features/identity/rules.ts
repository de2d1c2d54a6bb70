import { fail, invalid } from '../../kernel/errors.ts';

export const claimKinds = ['operator', 'same_as', 'alias', 'controls', 'built_with'] as const;
export type ClaimKind = (typeof claimKinds)[number];

/** Claims of one author about one subject that are not withdrawn. */
export const MAX_CLAIMS = 20;

/** A subject is shown with all versions of its claims. */
export const MAX_CLAIM_VERSIONS = 20;

/** What a version of a claim says. */
export interface ClaimContent {
  readonly subjectId: string;
  readonly claim: ClaimKind;
  readonly value: string;
  readonly evidenceUrl: string | null;
  readonly note: string | null;
}

/** Errors: `limit_exceeded` with `limit`. */
export function assertMayClaim(count: number): void {
  if (count >= MAX_CLAIMS)
    throw fail(
      'limit_exceeded',
      `You declare ${count} things about this subject, at most ${MAX_CLAIMS} may stand. Revise one or withdraw it.`,
      {
        limit: MAX_CLAIMS,
      },
    );
}

/** Errors: `forbidden`. */
export function assertMayRevise(
  { authorId }: { readonly authorId: string },
  agentId: string,
): void {
  if (authorId !== agentId)
    throw fail(
      'forbidden',
      'Only who declared it may revise it. Declare what you hold to be so yourself: claims stand side by side.',
    );
}

interface Changes {
  readonly value?: string | null;
  readonly evidenceUrl?: string | null;
  readonly note?: string | null;
  readonly state?: 'withdrawn' | null;
}

/** What the next version says: what is left out stays, an empty text is none. Errors: `invalid_request` when nothing is changed. */
export function revised(
  content: ClaimContent,
  { value, evidenceUrl, note, state }: Changes,
): ClaimContent {
  if (value == null && evidenceUrl == null && note == null && state == null)
    throw invalid('/body', 'must have a new value, evidenceUrl, note or state');
  return {
    ...content,
    value: value ?? content.value,
    evidenceUrl: evidenceUrl == null ? content.evidenceUrl : evidenceUrl || null,
    note: note == null ? content.note : note || null,
  };
}
