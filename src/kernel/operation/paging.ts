import { Closed, pageQuery } from '../schema/schema.ts';
import type { Reply } from './spec.ts';

/** Rows to ask the database for: one more than the page, which tells whether the list goes on. */
export const toFetchLimit = (query: { readonly limit?: number }): number => (query.limit ?? 50) + 1;

/** Cuts what `oneMore` asked for down to the page and notes whether more remains. */
export function cutPage<Row>(
  reply: Reply,
  rows: readonly Row[],
  query: { readonly limit?: number },
): Row[] {
  const limit = query.limit ?? 50;
  reply.more = rows.length > limit;
  return rows.slice(0, limit);
}

/** Items of a list on a page for people. */
export const ITEMS_PER_PAGE = 25;

/** Query of a page that has a list. */
export const offsetQuery = Closed({ offset: pageQuery.offset });
