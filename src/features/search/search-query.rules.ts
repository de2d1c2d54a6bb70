import { failField } from '../../kernel/errors.ts';
import {
  addBound,
  assertKnownName,
  FILTER,
  type Filter,
  failFilter,
  type Period,
  parseFilter,
} from './search-filters.rules.ts';
import { splitWords } from './search-words.rules.ts';

/**
 * Words that must (or, if `excluded`, must not) occur one after the other in this order. With
 * `open`, the last one is only the beginning of a word.
 */
export interface Term {
  readonly words: readonly string[];
  readonly excluded: boolean;
  readonly open: boolean;
}

/** A query after parsing. All terms must match; of several filters of a kind one must. */
export interface SearchQuery {
  readonly terms: readonly Term[];
  readonly filters: readonly Filter[];
  readonly period: Period;
}

/** A word with one asterisk behind it; `*emphasis*` of Markdown is none. */
const OPEN_END = /^[^*]*[\p{L}\p{N}\p{M}]\*$/u;

/**
 * How many phrases of a query may end with a beginning, such as a word with a hyphen, or of letters
 * that are words: for each of them, PostgreSQL compares the places of all words that begin so.
 */
const MAX_OPEN_PHRASES = 8;

/** Beginnings of one Latin letter would match a large part of all words. */
const MIN_BEGINNING = 2;

function parseTerm(text: string, excluded: boolean): Term | null {
  const words = splitWords(text);
  const open = OPEN_END.test(text);
  const last = words.at(-1);
  if (last === undefined) return null;
  if (open && /^[\0-\x7f]*$/.test(last) && last.length < MIN_BEGINNING)
    throw failFilter(`${text} is too short: write ${MIN_BEGINNING} letters or more before the *.`);
  return { words, excluded, open };
}

/** A piece of a query: a phrase in quotes or a plain word, excluded by a minus before it. */
export interface Piece {
  readonly excluded: boolean;
  readonly phrase: string | undefined;
  readonly plain: string;
}

/** Splits what somebody typed. Quotes that nobody closed end with the query. */
export const splitPieces = (q: string): Piece[] =>
  [...q.replace(/[“”„‟]/g, '"').matchAll(/(-?)(?:"([^"]*)"?|([^\s"]+))/g)].map(
    ([, minus, phrase, plain = '']) => ({ excluded: minus === '-', phrase, plain }),
  );

/**
 * Parses what somebody typed. Text outside the grammar counts as words, and text without words is
 * ignored, and so is a term that was there before. Errors: `invalid_request` for a filter that
 * cannot match anything, which says what would, and for too many phrases that end with *.
 */
export function parseQuery(q: string): SearchQuery {
  const terms: Term[] = [];
  const filters: Filter[] = [];
  let period: Period = { after: null, before: null };
  for (const { excluded, phrase, plain } of splitPieces(q)) {
    if (phrase === undefined) assertKnownName(plain);
    const [, name = '', value = ''] = phrase === undefined ? (FILTER.exec(plain) ?? []) : [];
    const by = name.toLowerCase();
    if (by === 'after' || by === 'before') period = addBound(period, by, value, excluded);
    else if (by !== '') filters.push(parseFilter(by as Filter['by'], value, excluded));
    const term = by === '' ? parseTerm(phrase ?? plain, excluded) : null;
    if (term) terms.push(term);
  }
  const unique = [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()];
  if (unique.filter(({ words, open }) => open && words.length > 1).length > MAX_OPEN_PHRASES)
    throw failField(
      '/query/q',
      `has more than ${MAX_OPEN_PHRASES} phrases that end with *. Leave out the * of the others`,
    );
  return { terms: unique, filters, period };
}

/** Whether a query asks for nothing. */
export const isEmptyQuery = ({ terms, filters, period }: SearchQuery): boolean =>
  terms.length === 0 && filters.length === 0 && period.after === null && period.before === null;
