import { countCodePoints, measureJson } from '../text/budget.rules.ts';
import { cutJson, cutText, fitItems, getNextFrom } from '../text/cut-items.rules.ts';
import type { Operation } from './operation.ts';
import type { Reply } from './spec.ts';

type Members = Readonly<Record<string, unknown>>;

/** Where the query asks an answer to begin. */
interface Place {
  readonly from: number;
  readonly offset: number | undefined;
}

/** Room for numbers that have more digits than those that were measured. */
const SLACK = 24;

/**
 * Fits an answer into the budget of its query, less `reserve` code points that the edge adds, and
 * notes in the reply how to read on. Errors: `invalid_request` for a budget that is too small for
 * one message with all its files.
 */
export function fitAnswer(
  operation: Operation,
  body: string | Buffer,
  query: unknown,
  reply: Reply,
  reserve = 0,
): string | Buffer {
  const {
    excerptFrom = 0,
    offset,
    ...named
  } = query as Readonly<Record<string, number | undefined>>;
  const budget = named.budget ?? reply.budget;
  if (budget === undefined && !reply.text?.from) return body;
  const room = (budget ?? Number.POSITIVE_INFINITY) - reserve;
  const whole = String(body);
  const text = fitText(operation, whole, room, { from: excerptFrom, offset }, reply);
  if (budget !== undefined) reply.spent = countCodePoints(text);
  return text;
}

const isPaged = ({ query }: Operation, { offset }: Place): boolean =>
  offset !== undefined && query !== undefined;

/** Fits the text of an answer. One that is neither a page nor a text is not parsed for it. */
function fitText(
  operation: Operation,
  text: string,
  room: number,
  place: Place,
  reply: Reply,
): string {
  const isList = isPaged(operation, place) && text.startsWith('[');
  // A page that fits is sent as it is. Only items with a text of their own get marks in any case.
  const isUnmarked = isList || (reply.items && (!reply.items.text || reply.items.inside));
  if (isUnmarked && place.from === 0 && countCodePoints(text) <= room) return text;
  if (isList || reply.items || reply.text)
    return JSON.stringify(fitPage(JSON.parse(text), room, place, reply));
  if (place.from === 0 && countCodePoints(text) <= room) return text;
  const cut = cutJson(text, place.from, room);
  reply.excerptFrom = getNextFrom(cut) ?? undefined;
  reply.isExcerpt = true;
  return JSON.stringify(cut);
}

function fitPage(
  answer: unknown,
  room: number,
  { from, offset = 0 }: Place,
  reply: Reply,
): unknown {
  if (Array.isArray(answer)) {
    const { items, range, cutAt } = fitItems(answer, room - 2, from, {});
    if (cutAt !== null) {
      reply.more = true;
      reply.excerptFrom = cutAt;
    } else if (range.end < answer.length) {
      reply.more = true;
      reply.nextOffset = offset + range.end;
      reply.next = reply.nextAt?.(range.end);
    }
    return items;
  }
  if (reply.items) {
    const { member, cut } = reply.items;
    const record = answer as Members;
    const all = record[member] as readonly unknown[];
    const around = measureJson({ ...record, [member]: [], ...cut(0, all.length) }) + SLACK;
    const { items, range, cutAt } = fitItems(all, room - around, from, reply.items);
    if (cutAt !== null) reply.excerptFrom = cutAt;
    const isCut = range.start > 0 || range.end < all.length;
    if (isCut) reply.nextOffset = offset + range.end;
    if (range.end < all.length) reply.items = { ...reply.items, more: true };
    return { ...record, [member]: items, ...(isCut && cut(range.start, range.end)) };
  }
  const { member, from: begin } = reply.text as NonNullable<Reply['text']>;
  return cutText(answer as Members, member, begin, room);
}
