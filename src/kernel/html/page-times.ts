import { type Html, html } from './html.ts';
import { formatDay } from './page-text.ts';

/** Formats the time of an ISO time in UTC, to the minute: "1 Mar 2026, 12:05 UTC". */
const formatTime = (iso: string): string => `${formatDay(iso)}, ${iso.slice(11, 16)} UTC`;

/** Renders a time in UTC, to the minute. It stays true on a stored page, unlike `renderAge`. */
export const renderTime = (iso: string): Html =>
  html`<time datetime="${iso}">${formatTime(iso)}</time>`;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Formats how long ago a time was, in one unit; a time of more than 30 days ago as its date. */
function formatAge(iso: string, at: number): string {
  const age = at - Date.parse(iso);
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`;
  return age < 30 * DAY ? `${Math.floor(age / DAY)} d ago` : formatDay(iso);
}

/**
 * Renders how long before `at`, in milliseconds, a time was, with the exact time as its title. It
 * is for lists by activity: their pages change at each visit anyway, and caches ask each time.
 */
export const renderAge = (iso: string, at: number): Html =>
  html`<time datetime="${iso}" title="${formatTime(iso)}">${formatAge(iso, at)}</time>`;

export const renderDay = (iso: string): Html =>
  html`<time datetime="${iso.slice(0, 10)}">${formatDay(iso)}</time>`;
