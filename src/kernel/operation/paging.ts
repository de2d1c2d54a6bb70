import { failField } from '../errors.ts';
import { Closed, listQuery, pageQuery, Time, Type } from '../schema/schema.ts';
import type { Reply } from './spec.ts';

/** A part of a list: the number of items to skip, and the maximum number to return. */
export interface ListPage {
  readonly offset: number;
  readonly limit: number;
  /** The id of the item after which the part begins. */
  readonly before?: string | undefined;
  /** The time of that item when the reader saw it, in a list whose items move. */
  readonly beforeAt?: string | undefined;
}

/** Returns the id by which the next page of a list goes on after an item. */
type GetId<Item> = (item: Item) => string;

/**
 * Returns one page of a list, and notes in the reply whether more items follow and after which id.
 * It fetches one item more than the page has to find out. With `getId` null, the next page is
 * found by its offset. `getTime` returns the time that a list is ordered by, if it can change: the
 * next page then begins where the item stood, and not where it has moved to.
 * Errors: `invalid_request`.
 */
export async function listPage<Item>(
  reply: Reply,
  { offset, limit, before, beforeAt }: ListPage,
  getId: GetId<Item> | null,
  fetchItems: (page: ListPage) => readonly Item[] | Promise<readonly Item[]>,
  getTime?: (item: Item) => string,
): Promise<Item[]> {
  if (beforeAt !== undefined && before === undefined)
    throw failField('/query/beforeAt', 'needs `before`, the id of the row that had this time');
  const items = await fetchItems({ offset, limit: limit + 1, before, beforeAt });
  const page = items.slice(0, limit);
  const last = page.at(-1);
  reply.more = items.length > limit;
  const toNext = (item: Item | undefined): Reply['next'] =>
    getId && item !== undefined
      ? { before: getId(item), ...(getTime && { beforeAt: getTime(item) }) }
      : undefined;
  if (reply.more && last !== undefined) reply.next = toNext(last);
  reply.nextAt = (count) => toNext(page[count - 1]);
  return page;
}

/** Builds the error of a `before` that is no row of the list, or none that the reader may see. */
export const failUnknownRow = () =>
  failField(
    '/query/before',
    'is not the id of a row that you can see: send the id of the last row of your last page, or ' +
      'begin again without it',
  );

/** The query of a list whose items move, because it is ordered by a time that changes. */
export const movingListQuery = {
  ...listQuery,
  beforeAt: Type.Optional(
    Time({
      description:
        'With `before`: the time of that row when you saw it. The page then begins where the row ' +
        'was, even if it has moved since or is gone. The `Link` of a page has it.',
    }),
  ),
};

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
