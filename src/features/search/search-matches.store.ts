import { empty, join, type Sql, sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';
import type { IndexQuery } from './index-query.store.ts';
import { MAX_RESULTS, resultTypes } from './schemas.ts';
import { MAX_NAMED_ROOMS, type SearchReader } from './search-reader.rules.ts';
import { searchSources } from './searchable-items.store.ts';
import { AREA_BITS } from './word-index.store.ts';

/** What to ask the index, for whom, and which page of the results. */
export interface SearchRequest extends IndexQuery {
  readonly reader: SearchReader;
  readonly offset: number;
  readonly limit: number;
  /** Milliseconds after which no further area of messages is searched. */
  readonly budgetMs: number;
}

/**
 * Whether a search has time for a further area. A phrase is compared with each message that has its
 * words, so whoever posts very many with common words could otherwise have everybody's fail.
 */
export const isInTime = ({ budgetMs }: SearchRequest): Sql =>
  sql`clock_timestamp() < statement_timestamp() + ${budgetMs} * interval '1 millisecond'`;

/**
 * Leaves out early what only members of other rooms may read. This is a shortcut: access is decided
 * by `readable` of the source.
 */
const likelyReadable = ({ id, rooms }: SearchReader): Sql =>
  rooms.length <= MAX_NAMED_ROOMS
    ? sql`(private_to IS NULL OR private_to = ANY(${rooms}::uuid[]))`
    : sql`
        (private_to IS NULL OR private_to IN (SELECT room_id FROM members WHERE agent_id = ${id}))
      `;

/** Whether an item was made in the period of a search. Its id says when. */
const inPeriod = (id: Sql, { firstId, endId }: SearchRequest): Sql => {
  const after = firstId === null ? empty : sql`AND ${id} >= ${firstId}::uuid`;
  const before = endId === null ? empty : sql`AND ${id} < ${endId}::uuid`;
  return sql`${after} ${before}`;
};

/**
 * Compares the words themselves with a query that excludes some. A GIN index gets the words of a
 * message one by one when its pending list is flushed, and its scan answers "not this word" for a
 * message whose word has not arrived yet. `IS TRUE` keeps the comparison out of the index.
 */
const hasNothingExcluded = (query: Sql, { excludes }: SearchRequest): Sql =>
  excludes ? sql`AND (words @@ ${query}) IS TRUE` : empty;

/**
 * Ranks a match. The rank is looked up, not joined, because PostgreSQL cannot estimate the number
 * of matches. A search by filters alone ranks nothing: PostgreSQL gives notice of each empty query.
 */
const rankColumn = (request: SearchRequest, words: Sql, place: Sql, rank: Sql): Sql =>
  request.rank === ''
    ? sql`0::real AS rank`
    : sql`
        (SELECT ts_rank(w.words, ${rank}, 1) FROM ${words} w WHERE w.${place} = c.${place}) AS rank
      `;

const rankByVisibility = sql`
  CASE WHEN c.private_to IS NULL THEN c.public_rank ELSE c.private_rank END
`;

/**
 * The newest matches among messages. The matches of an area are sorted by id alone and then
 * examined one by one until there are enough, or until the time is over. Only private matches are
 * checked for access here: public ones stay public until their thread is deleted, and `list` checks
 * every result again.
 */
export const matchingMessages = (request: SearchRequest): Sql => {
  const { messages, reader } = request;
  const rank = sql`nullif(${request.rank}, '')`;
  return sql`
    SELECT 'message' AS type, c.message_id AS id,
      ${rankColumn(request, sql`message_words`, sql`ctid`, rankByVisibility)}
    FROM (
      SELECT w.ctid, w.message_id, w.private_to, a.public_rank, a.private_rank
      FROM message_numbers n
      CROSS JOIN LATERAL (
        SELECT replace(${messages}, '@', area::text)::tsquery AS wanted,
          replace(${rank}, '@', area || '/')::tsquery AS public_rank,
          replace(${rank}, '@', area || '-')::tsquery AS private_rank
        FROM generate_series(n.last_value >> ${AREA_BITS}::int, 0, -1) AS area
        WHERE ${isInTime(request)}
        OFFSET 0
      ) a
      CROSS JOIN LATERAL (
        SELECT ctid, message_id, thread_id, private_to
        FROM message_words
        WHERE words @@ a.wanted AND ${likelyReadable(reader)}
          ${inPeriod(sql`message_id`, request)} ${hasNothingExcluded(sql`a.wanted`, request)}
        ORDER BY message_id DESC
      ) w
      WHERE (
          w.private_to IS NULL
            OR (
              SELECT ${readableThread(reader.id)}
              FROM ${searchSources.thread.from}
              WHERE t.id = w.thread_id
            )
        )
        AND NOT EXISTS (SELECT 1 FROM thread_removals d WHERE d.thread_id = w.thread_id)
      LIMIT ${MAX_RESULTS}
    ) c
  `;
};

const namedTypes = resultTypes.filter((type) => type !== 'message');

/** The newest matches among everything that has a name: all types but messages. */
export const matchingNames = (request: SearchRequest): Sql => {
  const { names: nameQuery, rank, reader } = request;
  const cases = namedTypes.map((type) => {
    const { readable, from, alias } = searchSources[type];
    return sql`
      WHEN ${type} THEN (
        SELECT ${readable(reader)}
        FROM ${from}
        WHERE ${alias}.id = n.id
      )
    `;
  });
  return sql`
    SELECT c.type, c.id,
      ${rankColumn(request, sql`name_words`, sql`id`, sql`replace(${rank}, '@', '')::tsquery`)}
    FROM (
      SELECT n.*
      FROM (
        SELECT id, type
        FROM name_words
        WHERE words @@ ${nameQuery}::tsquery AND ${likelyReadable(reader)}
          ${inPeriod(sql`id`, request)}
          ${hasNothingExcluded(sql`${nameQuery}::tsquery`, request)}
        ORDER BY id DESC
      ) n
      WHERE CASE n.type ${join(cases, ' ')} END
      LIMIT ${MAX_RESULTS}
    ) c
  `;
};
