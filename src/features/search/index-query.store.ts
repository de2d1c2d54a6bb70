import { formatTerm, joinAll, joinAny, listConditions } from './index-conditions.store.ts';
import type { ResultType } from './schemas.ts';
import type { SearchQuery } from './search-query.rules.ts';
import { divideRooms, type SearchReader } from './search-reader.rules.ts';
import {
  ANY_WORD,
  type AreaPrefix,
  PRIVATE_PREFIX,
  PUBLIC_PREFIX,
  quoteWord,
  toRoomWord,
  toTypeWord,
} from './word-index.store.ts';

/** What to ask the index, as tsqueries. Null where the query wants nothing of that kind. */
export interface IndexQuery {
  /** The first asks for what anyone may read, and each other one for some rooms of the reader. */
  readonly messages: readonly string[] | null;
  readonly names: readonly [publicNames: string, ...ofRooms: string[]] | null;
  /** Whether there is something that results must not have. */
  readonly excludes: boolean;
  /** The terms that raise the rank. */
  readonly rank: string;
  /** The smallest id of the period, and the smallest one after it. Null without such a bound. */
  readonly firstId: string | null;
  readonly endId: string | null;
}

/**
 * How many words of a query raise the rank. Each costs as much as the places that a text has it at,
 * so hundreds of them in a text that repeats them would take seconds.
 */
const MAX_RANKED_WORDS = 16;

function formatRank(query: SearchQuery, prefix: AreaPrefix): string {
  let left = MAX_RANKED_WORDS;
  const ranked = query.terms
    .filter(({ excluded }) => !excluded)
    .flatMap((term) => {
      const words = term.words.slice(0, left);
      left -= words.length;
      const open = term.open && words.length === term.words.length;
      return words.length > 0 ? [{ ...term, words, open }] : [];
    });
  return joinAll(ranked.map((term) => formatTerm(term, prefix)));
}

/** Formats conditions for each part of the rooms of a reader. */
const formatForRooms = (
  conditions: readonly string[],
  prefix: AreaPrefix,
  reader: SearchReader,
): string[] =>
  divideRooms(reader).map((ids) =>
    joinAll([...conditions, joinAny(ids.map((id) => quoteWord(prefix, toRoomWord(id))))]),
  );

function formatMessageQueries(query: SearchQuery, reader: SearchReader): string[] {
  const format = (prefix: AreaPrefix) => listConditions(query, prefix, quoteWord(prefix, ANY_WORD));
  return [
    joinAll(format(PUBLIC_PREFIX)),
    ...formatForRooms(format(PRIVATE_PREFIX), PRIVATE_PREFIX, reader),
  ];
}

function selectTypes({ filters }: SearchQuery, offered: readonly ResultType[]): ResultType[] {
  const listNamedTypes = (excluded: boolean) =>
    filters
      .filter((filter) => filter.by === 'type' && filter.excluded === excluded)
      .map(({ value }) => value);
  return offered.filter(
    (type) =>
      (listNamedTypes(false).length === 0 || listNamedTypes(false).includes(type)) &&
      !listNamedTypes(true).includes(type),
  );
}

/** Milliseconds that the first 48 bits of a UUID can say (RFC 9562, 5.7). */
const MAX_MS = 2 ** 48 - 1;

/** Returns the smallest UUIDv7 of a moment: ids sort by creation, so they say when things were. */
function toFirstId(time: string): string {
  const at = Math.min(Math.max(Date.parse(time), 0), MAX_MS);
  const hex = at.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Translates a query for the index. `offered` lists the types that this installation has. */
export function buildIndexQuery(
  query: SearchQuery,
  reader: SearchReader,
  offered: readonly ResultType[],
): IndexQuery {
  const { after, before } = query.period;
  const types = selectTypes(query, offered);
  const typeCondition = joinAny(
    types.filter((type) => type !== 'message').map((type) => quoteWord('', toTypeWord(type))),
  );
  const named = [typeCondition, ...listConditions(query, '', typeCondition)];
  return {
    messages: types.includes('message') ? formatMessageQueries(query, reader) : null,
    names: typeCondition === '()' ? null : [joinAll(named), ...formatForRooms(named, '', reader)],
    excludes: [...query.terms, ...query.filters].some(({ excluded }) => excluded),
    rank: formatRank(query, '@'),
    firstId: after === null ? null : toFirstId(after),
    endId: before === null ? null : toFirstId(before),
  };
}
