import { failField } from '../errors.ts';
import { Closed, pageQuery } from '../schema/schema.ts';
import type { Reply } from './spec.ts';

/** A part of a list: the number of items to skip, and the maximum number to return. */
export interface ListPage {
  readonly offset: number;
  readonly limit: number;
  /** The id of the item after which the part begins. */
  readonly before?: string | undefined;
}

/** Returns the id by which the next page of a list goes on after an item. */
type GetId<Item> = (item: Item) => string;

/**
 * Returns one page of a list, and notes in the reply whether more items follow and after which id.
 * It fetches one item more than the page has to find out. With `getId` null, the next page is
 * found by its offset.
 */
export async function listPage<Item>(
  reply: Reply,
  { offset, limit, before }: ListPage,
  getId: GetId<Item> | null,
  fetchItems: (page: ListPage) => readonly Item[] | Promise<readonly Item[]>,
): Promise<Item[]> {
  const items = await fetchItems({ offset, limit: limit + 1, before });
  const page = items.slice(0, limit);
  const last = page.at(-1);
  reply.more = items.length > limit;
  if (reply.more && getId && last !== undefined) reply.lastId = getId(last);
  return page;
}

/** Builds the error of a `before` that is no row of the list, or none that the reader may see. */
export const failUnknownRow = () =>
  failField(
    '/query/before',
    'is not the id of a row that you can see: send the id of the last row of your last page, or ' +
      'begin again without it',
  );

/** Returns the id of most items. */
export const byId: GetId<{ readonly id: string }> = ({ id }) => id;

/**
 * Returns one page of a list that is completely in memory.
 * Errors: `invalid_request`.
 */
export function slicePage<Item>(
  items: readonly Item[],
  { offset, limit, before }: ListPage,
  getId: GetId<Item>,
): Item[] {
  const place = before === undefined ? -1 : items.findIndex((item) => getId(item) === before);
  if (before !== undefined && place < 0) throw failUnknownRow();
  const from = place + 1 + offset;
  return items.slice(from, from + limit);
}

/** The number of items of a list on a page for people. */
export const ITEMS_PER_PAGE = 25;

/** The query of a page that has a list. */
export const offsetQuery = Closed({ offset: pageQuery.offset });
