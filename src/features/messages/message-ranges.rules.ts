import { fail } from '../../kernel/errors.ts';

/**
 * Bytes of the bodies on one page of messages. A page of 100 of the longest would have 6.5 MB, and
 * anybody may ask for many of them at once.
 */
export const MAX_PAGE_BYTES = 1024 * 1024;

/**
 * The length of the bodies on one page as JSON, in UTF-16 code units. JSON has six for a control
 * character, so a page of bodies that are full of them would have 6 MiB.
 */
const MAX_PAGE_LENGTH = 2 * MAX_PAGE_BYTES;

/** UTF-16 code units that one has as JSON at most. */
export const LONGEST_ESCAPE = 6;

/** What the bodies on a page have at most: bytes, and UTF-16 code units as JSON. */
export interface PageSize {
  readonly maxBytes: number;
  readonly maxLength: number;
}

/**
 * Computes the size of a page, of which as many code points as the budget are shown, if there is
 * one: a code point has at most four bytes and two code units.
 */
export const computePageSize = (budget = MAX_PAGE_LENGTH): PageSize => ({
  maxBytes: Math.min(MAX_PAGE_BYTES, budget * 4),
  maxLength: Math.min(MAX_PAGE_LENGTH, budget * 2),
});

/** Returns the offset of the page of `limit` messages that has `position` in its middle. */
export const getCentredOffset = (position: number, limit: number): number =>
  Math.max(0, position - Math.floor(limit / 2));

/**
 * Returns how many of the last messages fit when long ones leave no room for all of them: those
 * before an anchor fill at most half of its page. `sizes` are those of the bodies, in order.
 */
export function countFittingBefore(sizes: readonly number[], maxBytes: number): number {
  let bytes = 0;
  let count = 0;
  for (const size of sizes.toReversed()) {
    bytes += size;
    if (bytes > maxBytes) break;
    count += 1;
  }
  return count;
}

/**
 * Takes the first messages whose bodies have at most `maxLength` UTF-16 code units as JSON
 * together, and the first `least` of them in any case.
 */
export function takeFitting<Item extends { readonly body: string }>(
  messages: Item[],
  maxLength: number,
  least: number,
): Item[] {
  // A body has two quotation marks too.
  const longest = messages.reduce((sum, { body }) => sum + body.length * LONGEST_ESCAPE + 2, 0);
  if (longest <= maxLength) return messages;
  let asJson = 0;
  const end = messages.findIndex(({ body }, index) => {
    asJson += JSON.stringify(body).length;
    return asJson > maxLength && index >= least;
  });
  return end < 0 ? messages : messages.slice(0, end);
}

/** Returns the sum of the last `count` sizes. */
export const sumLast = (sizes: readonly number[], count: number): number =>
  sizes.slice(-count).reduce((sum, size) => sum + size, 0);

/** The positions from..to-1 of a thread; a range has at least one position. */
export interface PositionRange {
  readonly threadId: string;
  readonly from: number;
  readonly to: number;
}

/** Returns ranges with the first `max` positions of the given ranges. */
export function takePositions(ranges: readonly PositionRange[], max: number): PositionRange[] {
  const found: PositionRange[] = [];
  let remaining = max;
  for (const range of ranges) {
    if (remaining <= 0) break;
    const to = Math.min(range.to, range.from + remaining);
    found.push({ ...range, to });
    remaining -= to - range.from;
  }
  return found;
}

/**
 * Returns the ranges that remain after the messages `found` were read, in the order of the ranges.
 * A thread without any message was deleted and is left out; if nothing was found, that is the first
 * one. Errors: `gone` if a thread was deleted after some of it was read.
 */
export function findUnreadRanges(
  ranges: readonly PositionRange[],
  found: readonly { readonly threadId: string; readonly position: number }[],
): PositionRange[] {
  const nextPositions = new Map(found.map(({ threadId, position }) => [threadId, position + 1]));
  const last = Math.max(
    0,
    ranges.findLastIndex(({ threadId }) => nextPositions.has(threadId)),
  );
  const partlyRead = ranges.slice(0, last + 1).flatMap((range) => {
    const from = nextPositions.get(range.threadId);
    if (from === undefined && range.from > 0)
      throw fail('gone', 'A thread was deleted while you were reading it. Start over.', {
        reason: 'deleted',
      });
    return from === undefined || from === range.to ? [] : [{ ...range, from }];
  });
  return [...partlyRead, ...ranges.slice(last + 1)];
}
