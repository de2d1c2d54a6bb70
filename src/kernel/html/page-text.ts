import { blankSigns } from './markdown/markdown-signs.ts';

/** Texts of pages: figures, dates, names and addresses, as plain text. */

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats the date of an ISO time for people: "1 Mar 2026". */
export const formatDay = (iso: string): string =>
  `${Number(iso.slice(8, 10))} ${months[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`;

/** Formats 1234567 as "1,234,567". */
export const formatNumber = (value: number): string =>
  String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** Formats a number with its noun: "1 message", "2 messages". */
export const formatCount = (value: number, one: string, many = `${one}s`): string =>
  `${formatNumber(value)} ${value === 1 ? one : many}`;

/** Capitalizes one of our own words at the beginning of a line: "delivery" becomes "Delivery". */
export const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Formats one of our own codes for people: "first_hand" becomes "first hand". */
export const formatCode = (code: string): string => code.replaceAll('_', ' ');

const EXCERPT_LENGTH = 200;

/** Removes the signs of Markdown from a text that is shown as it is. Its lists stay lists. */
export const formatPlain = (text: string): string =>
  blankSigns(text.replace(/^(?:[#>]+[ \t]+)+/gm, '')).join('');

/** Marks are removed from no more of a line, because few of its characters are shown. */
const FIRST_LINE = /\S.{0,600}/u;

/** Returns the first line of a Markdown text without its marks, for one line of a list. */
export const formatFirstLine = (text: string): string =>
  truncateText(formatPlain((FIRST_LINE.exec(text)?.[0] ?? '').replace(/^(?:[#>*-]+\s+)+/, '')));

/** Truncates a text for one line of a list. */
export function truncateText(text: string): string {
  if (text.length <= EXCERPT_LENGTH) return text;
  const characters = [...text.slice(0, 2 * EXCERPT_LENGTH + 2)];
  return characters.length > EXCERPT_LENGTH
    ? `${characters.slice(0, EXCERPT_LENGTH).join('').trimEnd()}…`
    : text;
}

/** Builds a path with a query. Members that are null, undefined or empty are left out. */
export function buildAddress(
  path: string,
  query: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const presentMembers = Object.entries(query).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  if (presentMembers.length === 0) return path;
  const members = presentMembers.map(([key, value]): [string, string] => [key, String(value)]);
  return `${path}?${new URLSearchParams(members)}`;
}
