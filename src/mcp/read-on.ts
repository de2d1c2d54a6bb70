import type { Operation } from '../kernel/operation/operation.ts';
import type { CallResult } from '../kernel/pipeline/environment.ts';
import type { JsonSchema } from './tool-schemas.ts';

/** How a tool goes on: by the number of rows to skip, by a cursor, or not at all. */
export type Paging = 'offset' | 'cursor' | null;

type Members = Readonly<Record<string, unknown>>;

/** Whether a list continues, and the sentence that says how. */
export interface Continuation {
  readonly hasMore: boolean;
  readonly nextOffset?: number | null;
  readonly nextBefore?: string;
  readonly nextBeforeAt?: string;
  readonly nextCursor?: number;
  readonly readOn: string | null;
}

/** Returns how the answer of an operation goes on. */
export function findPaging({ query }: Pick<Operation, 'query'>): Paging {
  const { offset, cursor } = ((query ?? {}) as { readonly properties?: Members }).properties ?? {};
  return offset !== undefined ? 'offset' : cursor !== undefined ? 'cursor' : null;
}

const readOnSchema: JsonSchema = {
  type: ['string', 'null'],
  description: 'The call that reads on; null at the end.',
};

const continuationSchemas: Readonly<Record<'offset' | 'cursor', JsonSchema>> = {
  offset: {
    hasMore: { type: 'boolean' },
    nextOffset: { type: ['integer', 'null'], minimum: 0 },
    nextBefore: { type: 'string', description: 'Instead of nextOffset, if you sent before.' },
    nextBeforeAt: { type: 'string' },
    readOn: readOnSchema,
  },
  cursor: {
    hasMore: { type: 'boolean' },
    nextCursor: { type: 'integer', minimum: 0 },
    readOn: readOnSchema,
  },
};

/** Returns the schemas of the members that say how a tool goes on. */
export const getContinuationSchemas = (paging: Paging): JsonSchema =>
  paging === null ? {} : continuationSchemas[paging];

/** The members that every result of a tool with this paging has. */
export const listContinuationMembers = (paging: Paging): readonly string[] =>
  paging === null ? [] : ['hasMore', paging === 'offset' ? 'nextOffset' : 'nextCursor', 'readOn'];

/** Builds the sentence that says how to read on. */
export const formatReadOn = (tool: string, given: string): string =>
  `There is more. To read on, call ${tool} again with ${given} and the same other arguments.`;

/**
 * Returns where the answer of a tool continues. A model must learn it from either copy of a result,
 * so it stands at the beginning of both. Undefined for a tool whose answer is always whole.
 */
export function buildContinuation(
  tool: string,
  paging: Paging,
  answer: Members,
  { items, next, ...reply }: CallResult['reply'],
  query: Members,
): Continuation | undefined {
  if (paging === null) return undefined;
  if (paging === 'cursor') {
    const { hasMore, nextCursor } = answer as { hasMore: boolean; nextCursor: number };
    const readOn = hasMore ? formatReadOn(tool, `cursor ${nextCursor}`) : null;
    return { hasMore, nextCursor, readOn };
  }
  const { offset = 0, limit = 50, before, anchorId } = query;
  const more = items?.more ?? reply.more ?? false;
  const own = answer.nextOffset as number | null | undefined;
  if (own === null || (own === undefined && !more))
    return { hasMore: false, nextOffset: null, readOn: null };
  // A walk that began with `before` goes on with it: an offset would begin at the top again.
  if (before !== undefined && next !== undefined) {
    const { before: nextBefore, beforeAt } = next;
    const at = beforeAt === undefined ? '' : `, beforeAt ${beforeAt}`;
    return {
      hasMore: true,
      nextOffset: null,
      nextBefore,
      ...(beforeAt !== undefined && { nextBeforeAt: beforeAt }),
      readOn: formatReadOn(tool, `before ${nextBefore}${at}, without offset`),
    };
  }
  const nextOffset = own ?? Number(offset) + Number(limit);
  // An anchor takes precedence over an offset, so that the same page would come again.
  const without = anchorId === undefined ? '' : ', without anchorId';
  return {
    hasMore: true,
    nextOffset,
    readOn: formatReadOn(tool, `offset ${nextOffset}${without}`),
  };
}
