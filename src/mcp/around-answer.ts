import type { Paging } from './read-on.ts';
import type { JsonSchema } from './tool-schemas.ts';

const readOnSchema: JsonSchema = {
  type: ['string', 'null'],
  description: 'The call that reads on; null at the end.',
};

/** Returns the schemas of the members that say how a tool goes on, and what an answer has spent. */
export const getContinuationSchemas = (paging: Paging, budgeted: boolean): JsonSchema => ({
  ...((paging !== null || budgeted) && { hasMore: { type: 'boolean' }, readOn: readOnSchema }),
  ...(budgeted && {
    spent: { type: 'integer', description: 'Code points of this.' },
    nextExcerptFrom: { type: 'integer', minimum: 1 },
  }),
  ...(paging === 'offset' && {
    nextOffset: { type: ['integer', 'null'], minimum: 0 },
    nextBefore: { type: 'string', description: 'Instead of nextOffset, if you sent before.' },
    nextBeforeAt: { type: 'string' },
  }),
  ...(paging === 'cursor' && { nextCursor: { type: ['integer', 'string', 'null'], minimum: 0 } }),
});

/** The members that every result of a tool with this paging has. */
export const listContinuationMembers = (paging: Paging): readonly string[] =>
  paging === null ? [] : ['hasMore', paging === 'offset' ? 'nextOffset' : 'nextCursor', 'readOn'];

/** Code points of the longest members and sentences around an answer, without `before`. */
const AROUND_ANSWER = 330;
/** Code points that `before` and `beforeAt` add, once as members and once in the sentence. */
const AROUND_BEFORE = 210;
/** Code points of the sentence about a message that was cut. */
const AROUND_CUT = 110;

/**
 * Returns how many code points a tool adds to an answer at most: the mark, the fence and how to
 * read on. What is left of a budget is for the answer itself.
 */
export const computeReserve = (tool: string, query: unknown): number =>
  AROUND_ANSWER +
  tool.length +
  (/_messages?$/.test(tool) ? AROUND_CUT : 0) +
  ((query as { readonly before?: unknown } | undefined)?.before === undefined ? 0 : AROUND_BEFORE);
