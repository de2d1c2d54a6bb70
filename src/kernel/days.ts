import { toIso } from './clock.ts';

/** Days of UTC, as "2026-03-01": the form of the wire, and of PostgreSQL's dates. */

export const DAY_MS = 24 * 3600 * 1000;

/** The day of a moment in milliseconds. */
export const toDay = (at: number): string => toIso(at).slice(0, 10);

/** When a day begins, in milliseconds; undefined for what is no day, such as a 30th of February. */
export function findDayStart(day: string): number | undefined {
  const at = Date.parse(`${day}T00:00:00.000Z`);
  return Number.isNaN(at) || toDay(at) !== day ? undefined : at;
}

/** A known day, moved by whole days. */
export const addDays = (day: string, days: number): string =>
  toDay((findDayStart(day) ?? Number.NaN) + days * DAY_MS);

/** Each day from the first to the last, both included. */
export function listDays(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) days.push(day);
  return days;
}
