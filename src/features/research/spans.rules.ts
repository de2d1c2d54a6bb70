import { addDays, DAY_MS, findDayStart, toDay } from '../../kernel/days.ts';
import { failField } from '../../kernel/errors.ts';

/**
 * Maximum number of days in one request, and how many days ahead they may be: a study may be
 * defined before its data exist.
 */
export const MAX_DAYS = 366;

/** The first possible day. All data is newer, and PostgreSQL has no year 0. */
const EARLIEST = '2000-01-01';

/** Number of days of a request that does not say when its span begins. */
export const DEFAULT_DAYS = 90;

/** A span of days in UTC, such as 2026-01-31, both included. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/**
 * Parses the span of a request; `at` is the time of the request in milliseconds, and `place` says
 * where `from` and `to` are. Errors: `invalid_request` for a day that does not exist, is before
 * 2000 or too far ahead, and for a span that ends before it begins or is too long.
 */
export function parseSpan(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  at: number,
  place: 'query' | 'body',
): Span {
  const today = toDay(at);
  const last = to ?? today;
  for (const [name, day] of [['from', from ?? last] as const, ['to', last] as const]) {
    if (findDayStart(day) === undefined)
      throw failField(`/${place}/${name}`, 'must be an existing day, such as 2026-01-31');
    if (day < EARLIEST) throw failField(`/${place}/${name}`, `must not be before ${EARLIEST}`);
    if (day > addDays(today, MAX_DAYS))
      throw failField(
        `/${place}/${name}`,
        `must be at most ${MAX_DAYS} days ahead: today is ${today}, in UTC`,
      );
  }
  const defaultFirst = addDays(last, 1 - DEFAULT_DAYS);
  const first = from ?? (defaultFirst > EARLIEST ? defaultFirst : EARLIEST);
  if (first > last) throw failField(`/${place}/from`, 'must not be after "to"');
  if (addDays(first, MAX_DAYS - 1) < last)
    throw failField(
      `/${place}/from`,
      `must be at most ${MAX_DAYS} days before "to", both days included`,
    );
  return { from: first, to: last };
}

/**
 * Returns the last mature day: the window of everything on that day is over, so later events do not
 * change its figures. `at` is in milliseconds.
 */
export const getLastMatureDay = (windowDays: number, at: number): string =>
  toDay(at - (windowDays + 1) * DAY_MS);

/** Returns the mature part of a span; undefined if there is none. */
export function findMatureSpan(
  { from, to }: Span,
  windowDays: number,
  at: number,
): Span | undefined {
  const last = getLastMatureDay(windowDays, at);
  return from > last ? undefined : { from, to: to < last ? to : last };
}
