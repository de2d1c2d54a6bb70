import { Closed, pageQuery } from '../schema/schema.ts';
import type { Reply } from './spec.ts';

/** A part of a list: the number of items to skip, and the maximum number to return. */
export interface ListPage {
  readonly offset: number;
  readonly limit: number;
}

/**
 * Returns one page of a list, and notes in the reply whether more items follow. It fetches one item
 * more than the page has to find out.
 */
export async function listPage<Item>(
  reply: Reply,
  { offset, limit }: ListPage,
  fetchItems: (page: ListPage) => readonly Item[] | Promise<readonly Item[]>,
): Promise<Item[]> {
  const items = await fetchItems({ offset, limit: limit + 1 });
  reply.more = items.length > limit;
  return items.slice(0, limit);
}

/** Returns one page of a list that is completely in memory. */
export const slicePage = <Item>(items: readonly Item[], { offset, limit }: ListPage): Item[] =>
  items.slice(offset, offset + limit);

/** The number of items of a list on a page for people. */
export const ITEMS_PER_PAGE = 25;

/** The query of a page that has a list. */
export const offsetQuery = Closed({ offset: pageQuery.offset });
