import pg from 'pg';

const INT8 = 20;
const TIMESTAMPTZ = 1184;
const DATE = 1082;

/**
 * Converts PostgreSQL's text form of a timestamptz in a UTC session ("2026-11-21 10:46:58.12+00")
 * to ISO 8601 with milliseconds and "Z". It slices the text, because a page of 50 messages would
 * otherwise build and print 50 Date objects.
 */
export function toIsoTime(text: string): string {
  const fraction = text.length > 22 ? text.slice(20, -3) : '';
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
}

/**
 * Parsers of the driver's types. int8 becomes a number (every count and cursor stays below 2^53),
 * times become ISO strings, and dates remain text.
 */
export const pgTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8) return Number;
    if (oid === TIMESTAMPTZ) return toIsoTime;
    if (oid === DATE) return String;
    return pg.types.getTypeParser(oid, format as 'text');
  },
};
