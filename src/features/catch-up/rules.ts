import { failField } from '../../kernel/errors.ts';
import { measureJson } from '../../kernel/text/budget.rules.ts';
import { toExcerpt } from '../../kernel/text/excerpt.rules.ts';
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

/** The length of excerpts where everything fits with it, and where not. */
const FULL_EXCERPT = 400;
const SHORT_EXCERPT = 100;
/**
 * The most code points of an outcome or of the beginning of a message that are looked at: some more
 * than are shown, because runs of white space become one space.
 */
export const START_LENGTH = 480;
/** The length of every text of an item that would not fit otherwise. */
const SHORTEST = 40;
/** Code points that a tool adds around an answer. They are left over, so that one text fits all. */
const AROUND = 400;
/** The fewest code points of an item, with the comma behind it. */
const LEAST_ITEM = 130;

/** Returns how many items an answer can have at most. */
export const countPossible = (budget: number): number => Math.ceil(budget / LEAST_ITEM);

/** An item before its texts are cut, and the cursor that goes on after it. */
export interface Draft {
  readonly cursor: string;
  readonly item: CatchUpItem;
}

/** Returns an item whose excerpt and outcome `change` has changed, and its title by `toTitle`. */
function changeTexts(
  item: CatchUpItem,
  change: (text: string) => string,
  toTitle: (title: string) => string = (title) => title,
): CatchUpItem {
  if (!('excerpt' in item)) return item;
  const changed = { ...item, title: toTitle(item.title), excerpt: change(item.excerpt) };
  if (!('outcome' in changed)) return changed;
  return { ...changed, outcome: changed.outcome === null ? null : change(changed.outcome) };
}

/** Returns the first items that fit, with changed texts. It looks at no more than one further. */
function takeWhileFits(
  drafts: readonly Draft[],
  room: number,
  change: (text: string) => string,
): CatchUpItem[] {
  const items: CatchUpItem[] = [];
  let left = room;
  for (const { item } of drafts) {
    const changed = changeTexts(item, change);
    left -= measureJson(changed) + 1;
    if (left < 0) break;
    items.push(changed);
  }
  return items;
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
  const shorten = (length: number) => (text: string) => toExcerpt(text, length);
  const fill = (length: number) => takeWhileFits(drafts, room, shorten(length));
  const whole = fill(FULL_EXCERPT);
  const fullest = whole.length === drafts.length ? whole : fill(SHORT_EXCERPT);
  const shortest = shorten(SHORTEST);
  const items =
    fullest.length > 0
      ? fullest
      : drafts.slice(0, 1).map(({ item }) => changeTexts(item, shortest, shortest));
  const count = items.length;
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
