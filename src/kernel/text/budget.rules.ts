/** The least and the most code points that an answer may be given. */
export const MIN_BUDGET = 1_000;
export const MAX_BUDGET = 100_000;
/** The budget of a tool's answer when the caller names none: about 6,000 tokens. */
export const DEFAULT_TOOL_BUDGET = 24_000;

/** What is left of a text that was cut. Both count code points of the text. */
export interface Truncation {
  /** Where the rest begins. */
  readonly nextFrom: number;
  readonly length: number;
}

/** A piece of a text, and what is left of it; null at its end. */
export interface Excerpt {
  readonly piece: string;
  readonly truncated: Truncation | null;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Counts the code points of a text, without a copy of any of them: texts have megabytes. */
export function countCodePoints(text: string): number {
  let pairs = 0;
  for (let index = 1; index < text.length; index++)
    if (isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1)))
      pairs++;
  return text.length - pairs;
}

/** Counts the code points of a value as JSON. */
export const measureJson = (value: unknown): number => countCodePoints(JSON.stringify(value));

/** Returns the index in a text of its code point number `count`, or the end of the text. */
function findIndex(text: string, count: number): number {
  let index = 0;
  for (let left = count; left > 0 && index < text.length; left--)
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return index;
}

/** Control characters that JSON writes as a backslash and a letter. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts the characters of a code point as JSON (ECMA-262, QuoteJSONString). */
export function measureEscaped(point: number): number {
  if (point < 0x20) return SHORT_ESCAPES.has(point) ? 2 : 6;
  if (point === QUOTE || point === BACKSLASH) return 2;
  // Half of a pair stands as its number.
  return point >= 0xd800 && point <= 0xdfff ? 6 : 1;
}

/**
 * Takes the piece of a text from the code point `from` on that has at most `room` code points as
 * JSON, where a line end or a quote counts as two. It has at least one code point, if any is left,
 * so that whoever reads on arrives at the end.
 */
export function takeExcerpt(text: string, from: number, room: number): Excerpt {
  const start = findIndex(text, from);
  const rest = text.slice(start, start + 2 * Math.max(room, 1));
  let end = 0;
  let taken = 0;
  let spent = 0;
  while (end < rest.length) {
    const point = rest.codePointAt(end) ?? 0;
    spent += measureEscaped(point);
    if (spent > room && taken > 0) break;
    end += point > 0xffff ? 2 : 1;
    taken += 1;
  }
  if (start + end >= text.length) return { piece: rest.slice(0, end), truncated: null };
  const truncated = { nextFrom: from + taken, length: countCodePoints(text) };
  return { piece: rest.slice(0, end), truncated };
}

/** The items start..end-1 of a page. */
export interface ItemRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns which items fit into `room` code points, with a comma after each, beginning with the
 * first. If there is an item to `keep` and it does not fit behind all items before it, those give
 * way. At least one item is returned, even if it alone is too long.
 */
export function takeItems(sizes: readonly number[], room: number, keep = 0): ItemRange {
  const sum = (from: number, to: number) =>
    sizes.slice(from, to).reduce((total, size) => total + size + 1, 0);
  let start = 0;
  while (start < keep && sum(start, keep + 1) > room) start++;
  let end = start;
  for (let spent = 0; end < sizes.length; end++) {
    spent += (sizes[end] ?? 0) + 1;
    if (spent > room && end > start) break;
  }
  return { start, end };
}
