import { failField } from '../errors.ts';
import {
  countCodePoints,
  type ItemRange,
  measureJson,
  takeExcerpt,
  takeItems,
} from './budget.rules.ts';

type Members = Readonly<Record<string, unknown>>;

/** How a long item is cut, and which one a page must have. */
interface CutRule {
  readonly text?: string;
  readonly inside?: string;
  readonly keep?: number;
}

/** Returns a piece of a JSON text that is longer than its room. */
export function cutJson(text: string, from: number, room: number): Members {
  const longest = { nextFrom: 2_147_483_647, length: 2_147_483_647 };
  const around = measureJson({ excerpt: '', truncated: longest });
  const { piece, truncated } = takeExcerpt(text, from, room - around);
  return { excerpt: piece, truncated };
}

/** Returns a piece of a value that is longer than its room, as text of its JSON. */
const cutValue = (value: unknown, from: number, room: number): Members =>
  cutJson(JSON.stringify(value), from, room);

/** Returns a record with its lists empty. */
const omitLists = (record: Members): Members =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, Array.isArray(value) ? [] : value]),
  );

/**
 * Returns a record with a piece of its text. Lists in it, such as files, are left to the last piece
 * where they would take most of the room. Errors: `invalid_request` if not even they fit.
 */
export function cutText(record: Members, member: string, from: number, room: number): Members {
  const text = String(record[member]);
  const measure = (one: Members) =>
    measureJson({
      ...one,
      [member]: '',
      truncated: { nextFrom: text.length, length: text.length },
    });
  const short = omitLists(record);
  const left = room - measure(record);
  const whole = takeExcerpt(text, from, left);
  if (left > 0 && whole.truncated === null)
    return { ...record, [member]: whole.piece, truncated: null };
  const hasRoom = left > room / 4;
  const { piece, truncated } = takeExcerpt(text, from, hasRoom ? left : room - measure(short));
  const length = countCodePoints(text);
  if (piece === '' && from >= length)
    throw failField('/query/budget', `must be at least ${measure(record) + 500} for this message`);
  return {
    ...(hasRoom ? record : short),
    [member]: piece,
    // The text is complete, but the lists of this record are still to come.
    truncated: truncated ?? { nextFrom: length, length },
  };
}

/**
 * Returns an item with a piece of its text, or of the text of the record `inside`. Such a record is
 * null where not even its other members fit.
 */
function cutTextInside(
  item: Members,
  inside: string | undefined,
  text: string,
  room: number,
): Members {
  if (inside === undefined) return cutText(item, text, 0, room);
  const record = item[inside] as Members | null;
  if (record === null) return item;
  const left = room - measureJson({ ...item, [inside]: 0 });
  return {
    ...item,
    [inside]: measureLeast(record, text) > left ? null : cutText(record, text, 0, left),
  };
}

/** Counts the code points of a record with nothing of its text, and with its lists empty. */
const measureLeast = (record: Members, text: string): number => {
  const longest = { nextFrom: 2_147_483_647, length: 2_147_483_647 };
  return measureJson({ ...omitLists(record), [text]: '', truncated: longest });
};

/** The items of a page that fit, and whether the first of them was cut. */
interface Fitted {
  readonly items: readonly unknown[];
  readonly range: ItemRange;
  readonly cutAt: number | null;
}

/**
 * Returns the items that fit into `room` code points. If not even the first one does, it is cut.
 * `from` goes on in an item that was cut before.
 */
export function fitItems(
  items: readonly unknown[],
  room: number,
  from: number,
  { text, inside, keep }: CutRule,
): Fitted {
  const marked =
    text === undefined || inside !== undefined
      ? items
      : items.map((one) => ({ ...Object(one), truncated: null }));
  const begun = from > 0 && text === undefined && marked.length > 0;
  const all = begun ? [cutValue(marked[0], from, room), ...marked.slice(1)] : marked;
  const range = takeItems(all.map(measureJson), room, keep);
  const found = all.slice(range.start, range.end);
  const first = found[0];
  if (found.length === 1 && measureJson(first) + 1 > room) {
    const cut =
      text === undefined
        ? cutValue(items[range.start], from, room)
        : cutTextInside(Object(items[range.start]), inside, text, room);
    return { items: [cut], range, cutAt: text === undefined ? getNextFrom(cut) : null };
  }
  const cutAt = begun ? getNextFrom(first) : null;
  return cutAt === null
    ? { items: found, range, cutAt }
    : { items: [first], range: { start: 0, end: 1 }, cutAt };
}

/** Returns where to go on in a value that was cut; null at its end. */
export const getNextFrom = (cut: unknown): number | null =>
  (cut as { truncated: { nextFrom: number } | null }).truncated?.nextFrom ?? null;
