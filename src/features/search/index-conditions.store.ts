import type { Filter } from './search-filters.rules.ts';
import type { SearchQuery, Term } from './search-query.rules.ts';
import {
  type AreaPrefix,
  LONG_WORD,
  quoteBeginning,
  quoteWord,
  toAuthorWord,
  toRoomWord,
} from './word-index.store.ts';

/** Joins parts of a text query that must all match. */
export const joinAll = (parts: readonly string[]): string => parts.join(' & ');

/** Joins parts of a text query of which one must match. */
export const joinAny = (parts: readonly string[]): string => `(${parts.join(' | ')})`;

/**
 * Formats a word or a phrase. The index does not have every position of a word in a long text, so
 * there a phrase is found by its words alone.
 */
export function formatTerm({ words, open }: Term, prefix: AreaPrefix): string {
  const entries = words.map((word, index) =>
    open && index === words.length - 1 ? quoteBeginning(prefix, word) : quoteWord(prefix, word),
  );
  return entries.length === 1
    ? joinAll(entries)
    : joinAny([
        entries.join(' <-> '),
        joinAll([...new Set(entries), quoteWord(prefix, LONG_WORD)]),
      ]);
}

/**
 * Formats the filters of one kind: any of the wanted ones must match, none of the excluded ones
 * may.
 */
function formatFilters(
  filters: readonly Filter[],
  by: Filter['by'],
  write: (value: string) => string,
): { wanted: string[]; unwanted: string[] } {
  const formatValues = (excluded: boolean) =>
    filters
      .filter((filter) => filter.by === by && filter.excluded === excluded)
      .map(({ value }) => write(value));
  return {
    wanted: formatValues(false).length > 0 ? [joinAny(formatValues(false))] : [],
    unwanted: formatValues(true),
  };
}

/**
 * Returns the conditions of a query, which must all hold. `anything` matches everything; it is used
 * when the query only excludes.
 */
export function listConditions(
  { terms, filters }: SearchQuery,
  prefix: AreaPrefix,
  anything: string,
): string[] {
  const rooms = formatFilters(filters, 'in', (id) => quoteWord(prefix, toRoomWord(id)));
  const authors = formatFilters(filters, 'from', (handle) =>
    quoteWord(prefix, toAuthorWord(handle)),
  );
  const formatTerms = (excluded: boolean) =>
    terms.filter((term) => term.excluded === excluded).map((term) => formatTerm(term, prefix));
  const wanted = [...formatTerms(false), ...rooms.wanted, ...authors.wanted];
  return [
    ...(wanted.length > 0 ? wanted : [anything]),
    ...[...formatTerms(true), ...rooms.unwanted, ...authors.unwanted].map(
      (text) => `!${joinAny([text])}`,
    ),
  ];
}
