import { failField } from '../../kernel/errors.ts';
import { measureJson, takeItems } from '../../kernel/text/budget.rules.ts';
import type { CatchUpItem } from './schemas.ts';

/** Asserts that a thread has a message at this position. Errors: `invalid_request`. */
export function assertPositionExists(position: number, messageCount: number): void {
  if (position < messageCount) return;
  throw failField(
    '/body/position',
    `must be at most ${messageCount - 1}, the position of the newest message`,
  );
}

/** The parts of an answer, in their order: records, messages that address the reader, threads. */
export type Part = 'r' | 'a' | 't';

/** Where an answer goes on: after which record, event or first unread message of its part. */
export interface Place {
  readonly part: Part;
  /** Null at the beginning. */
  readonly after: string | null;
}

/** Parses a cursor, which its schema has checked. */
export const parsePlace = (cursor: string | undefined): Place =>
  cursor === undefined
    ? { part: 'r', after: null }
    : { part: cursor.slice(0, 1) as Part, after: cursor.slice(2) };

/** Formats the cursor that goes on after something. */
export const formatPlace = (part: Part, after: string | number): string => `${part}.${after}`;

/** The lengths of excerpts that are tried, the first with which everything fits. */
const excerptLengths = [400, 160, 100];
/** The most code points of an outcome or of the beginning of a message that are looked at. */
export const START_LENGTH = 800;
/** The length of every text of an item that would not fit otherwise. */
const SHORTEST = 40;
/** Code points that a tool adds around an answer. They are left over, so that one text fits all. */
const AROUND = 400;
/** The fewest code points of an item, with the comma behind it. */
const LEAST_ITEM = 120;

/** Returns how many items an answer can have at most. */
export const countPossible = (budget: number): number => Math.ceil(budget / LEAST_ITEM);

/** Returns the beginning of a text as one line of at most `length` code points. */
export function toLine(text: string, length: number): string {
  const points = Array.from(text.replace(/[\p{Cc}\s]+/gu, ' ').trim());
  return points.length <= length ? points.join('') : `${points.slice(0, length - 1).join('')}…`;
}

/** An item before its texts are cut, and the cursor that goes on after it. */
export interface Draft {
  readonly cursor: string;
  readonly item: CatchUpItem;
}

/** Shortens the texts of an item; its title, too, if `all` of them must be short. */
function shorten(item: CatchUpItem, length: number, all = false): CatchUpItem {
  if (!('excerpt' in item)) return item;
  const short = {
    excerpt: toLine(item.excerpt, length),
    title: all ? toLine(item.title, length) : item.title,
  };
  if (!('outcome' in item)) return { ...item, ...short };
  return {
    ...item,
    ...short,
    outcome: item.outcome === null ? null : toLine(item.outcome, length),
  };
}

/** What there is to show, as far as it was loaded. */
export interface Found {
  readonly drafts: readonly Draft[];
  /** The cursor that goes on after all of them; null if there is nothing more. */
  readonly end: string | null;
  /** Unread messages in all. */
  readonly unread: number;
}

/** Fits drafts into a budget of code points, and returns the answer and what it has spent. */
export function fitCatchUp({ drafts, end, unread }: Found, budget: number) {
  const longest = formatPlace('t', '0'.repeat(36));
  const frame = { items: [], spent: budget, nextCursor: longest, unread };
  const room = budget - AROUND - measureJson(frame);
  const cut = (length: number) => drafts.map(({ item }) => shorten(item, length));
  const measure = (items: readonly CatchUpItem[]) => items.map(measureJson);
  const fits = (items: readonly CatchUpItem[]) =>
    measure(items).reduce((sum, size) => sum + size + 1, 0) <= room;
  const length = excerptLengths.find((one) => fits(cut(one))) ?? excerptLengths.at(-1) ?? SHORTEST;
  const all = cut(length);
  const { end: count } = takeItems(measure(all), room);
  const whole = all.slice(0, count);
  const items = fits(whole) ? whole : whole.map((item) => shorten(item, SHORTEST, true));
  const nextCursor = count < drafts.length ? (drafts[count - 1]?.cursor ?? end) : end;
  return countItself((spent) => ({ items, spent, nextCursor, unread }));
}

/** Builds an answer that says how many code points it has, this number included. */
function countItself<Answer extends { readonly spent: number }>(
  build: (spent: number) => Answer,
): Answer {
  const bare = measureJson(build(0)) - 1;
  const digits = [1, 2, 3, 4, 5, 6].find((count) => String(bare + count).length <= count) ?? 7;
  return build(bare + digits);
}
