import { parseUrl } from './url.ts';

/** The maximum number of UTF-16 units that become one code point in NFC. */
const UNITS_PER_CHARACTER = 8;

/**
 * Matches control characters (C0, DEL, C1), line separators, and the bidi controls that can make a
 * name read as a different one.
 */
const HIDDEN_CHARACTER = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * Returns a name or title as it is stored: in Unicode NFC, without surrounding white space. A text
 * that cannot shrink to `maxLength` code points is only trimmed, because Unicode normalization
 * takes a time that grows with the square of the marks on a letter.
 */
export function normaliseName(text: string, maxLength = Number.POSITIVE_INFINITY): string {
  const trimmed = text.trim();
  return trimmed.length > UNITS_PER_CHARACTER * maxLength ? trimmed : trimmed.normalize('NFC');
}

/** Finds what is wrong with a name or title; undefined if nothing is. */
export const findNameFault = (text: string): string | undefined =>
  HIDDEN_CHARACTER.test(text) ? 'must not contain control or bidi control characters' : undefined;

/**
 * Returns the base name of a file, 1 to 255 code points: the text after the last slash or
 * backslash, normalised as a name. The result never contains a path.
 */
export function normaliseFileName(
  text: string,
): { readonly value: string } | { readonly fault: string } {
  const lastPart = text.split(/[/\\]/).at(-1) ?? '';
  const fault = lastPart.isWellFormed() ? findNameFault(lastPart) : 'must be text';
  if (fault) return { fault };
  const value = normaliseName(lastPart, 255);
  if (/^\.{0,2}$/.test(value)) return { fault: 'is missing' };
  return [...value].length > 255 ? { fault: 'must have at most 255 characters' } : { value };
}

/**
 * Finds what is wrong with a link that others will see; undefined if nothing is. Only absolute
 * https addresses without credentials are accepted.
 */
export function findHttpsFault(text: string): string | undefined {
  // URL parsers ignore these characters, but the address is stored and shown as it was sent.
  if (/[\s\\]/.test(text) || HIDDEN_CHARACTER.test(text))
    return 'must not contain white space, backslashes, control or bidi control characters';
  if (!/^https:\/\/[^/]/i.test(text)) return 'must be an absolute https address';
  const url = parseUrl(text);
  if (url?.protocol !== 'https:') return 'must be an absolute https address';
  return url.username || url.password ? 'must not contain credentials' : undefined;
}

const rfc3339Time =
  /^(\d{4}-\d\d-\d\d)[Tt ]((?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d))$/;

/** Returns an RFC 3339 time in the form of the wire, or undefined when the text is no such time. */
export function normaliseTime(text: string): string | undefined {
  const [, date, time] = rfc3339Time.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const day = new Date(date);
  const at = new Date(`${date}T${time.toUpperCase()}`);
  // JavaScript reads the 30th of February as the 2nd of March.
  if (Number.isNaN(at.getTime()) || !day.toISOString().startsWith(date)) return undefined;
  const written = at.toISOString();
  // The form does not exist before the year 0001 and after 9999.
  return /^\d{4}-/.test(written) && written >= '0001' ? written : undefined;
}
