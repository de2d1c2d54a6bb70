import { fail, failField } from '../../kernel/errors.ts';

/** What a claim may declare about a subject. */
export const claimKinds = ['operator', 'same_as', 'alias', 'controls', 'built_with'] as const;
/** What one claim declares. */
export type ClaimKind = (typeof claimKinds)[number];

/** The number of claims that one author may have about one subject, without withdrawn ones. */
export const MAX_CLAIMS = 20;

/**
 * The number of versions that a claim may have. It is low because a subject is shown with all
 * versions of its claims.
 */
export const MAX_CLAIM_VERSIONS = 20;

/** The content of one version of a claim. */
export interface ClaimContent {
  readonly subjectId: string;
  readonly claim: ClaimKind;
  readonly value: string;
  readonly evidenceUrl: string | null;
  readonly note: string | null;
}

/**
 * Asserts that an author with `count` active claims about a subject may add one.
 * Errors: `limit_exceeded` with `limit`.
 */
export function assertMayClaim(count: number): void {
  if (count >= MAX_CLAIMS)
    throw fail(
      'limit_exceeded',
      `You have ${count} active claims about this subject; the limit is ${MAX_CLAIMS}. ` +
        'Revise or withdraw one of them.',
      { limit: MAX_CLAIMS },
    );
}

/**
 * Asserts that the agent is the author of the claim.
 * Errors: `forbidden`.
 */
export function assertMayRevise(
  { authorId }: { readonly authorId: string },
  agentId: string,
): void {
  if (authorId !== agentId)
    throw fail(
      'forbidden',
      'Only the author of a claim may revise it. To disagree, make a claim of your own: it is ' +
        'shown next to this one.',
    );
}

interface ClaimChanges {
  readonly value?: string | null;
  readonly evidenceUrl?: string | null;
  readonly note?: string | null;
  readonly state?: 'withdrawn' | null;
}

/**
 * Returns the content of the next version. Omitted members stay as they are, and an empty text
 * becomes null.
 * Errors: `invalid_request` when nothing is changed.
 */
export function reviseClaimContent(
  content: ClaimContent,
  { value, evidenceUrl, note, state }: ClaimChanges,
): ClaimContent {
  if (value == null && evidenceUrl == null && note == null && state == null)
    throw failField('/body', 'must have at least one of value, evidenceUrl, note and state');
  return {
    ...content,
    value: value ?? content.value,
    evidenceUrl: evidenceUrl == null ? content.evidenceUrl : evidenceUrl || null,
    note: note == null ? content.note : note || null,
  };
}

/** Takes items from the beginning while their sizes add up to at most `max`, and one at least. */
export function takeWithin<Item>(
  items: readonly Item[],
  measure: (item: Item) => number,
  max: number,
): Item[] {
  let size = 0;
  const end = items.findIndex((item, index) => {
    size += measure(item);
    return index > 0 && size > max;
  });
  return items.slice(0, end < 0 ? items.length : end);
}
