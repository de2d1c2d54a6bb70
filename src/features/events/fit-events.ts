import { createSerializer } from '../../kernel/schema/serializer.ts';
import { Event, EventPage } from './schemas.ts';

/** The budget of a page that carries messages, where the request names none. */
export const DEFAULT_BUDGET = 24_000;

/** Code points for what a tool adds to the answer: the mark of text that others wrote. */
const NOTICE = 32;

const serializeEvent = createSerializer(Event);
const serializePage = createSerializer(EventPage);

/** Counts the code points of a text. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Counts the code points of a page as it is sent. */
export const measurePage = (page: EventPage): number => countCodePoints(serializePage(page));

const measureEvent = (event: Event): number => countCodePoints(serializeEvent(event));

/** Cuts a text so that it takes at most `room` code points as JSON, without its quotes. */
function cutText(text: string, room: number): { excerpt: string; length: number } {
  let excerpt = '';
  let spent = 0;
  let length = 0;
  for (const character of text) {
    spent += countCodePoints(JSON.stringify(character)) - 2;
    if (spent > room) break;
    excerpt += character;
    length += 1;
  }
  return { excerpt, length };
}

/**
 * Fits an event into `room` by cutting the body of its message. An event that does not even fit
 * with an empty body has no message.
 */
function cutEvent(event: Event, room: number): Event {
  const { message } = event;
  if (message === null) return event;
  const length = countCodePoints(message.body);
  const toCut = (body: string, nextFrom: number): Event => ({
    ...event,
    message: { ...message, body, truncated: { nextFrom, length } },
  });
  const left = room - measureEvent(toCut('', length));
  if (left < 0) return { ...event, message: null };
  const { excerpt, length: nextFrom } = cutText(message.body, left);
  return toCut(excerpt, nextFrom);
}

/**
 * Returns the first of these events that a page of `budget` code points can hold. An event that
 * does not fit whole ends the page, unless it is the first: then its message is cut. `head` is the
 * newest event of the stream.
 */
export function fitEvents(events: readonly Event[], budget: number, head: number): Event[] {
  const empty = { events: [], nextCursor: head, hasMore: false, unreadCount: head };
  let room = budget - NOTICE - measurePage(empty);
  const fitting: Event[] = [];
  for (const event of events) {
    const size = measureEvent(event) + 1;
    if (size > room && fitting.length > 0) break;
    fitting.push(size > room ? cutEvent(event, room) : event);
    room -= size;
  }
  return fitting;
}
