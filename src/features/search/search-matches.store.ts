import { empty, join, type Sql, sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';
import type { IndexQuery } from './index-query.store.ts';
import { MAX_RESULTS, resultTypes } from './schemas.ts';
import type { SearchReader } from './search-reader.rules.ts';
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
const likelyReadable = ({ rooms }: SearchReader): Sql =>
  sql`(private_to IS NULL OR private_to = ANY(${rooms}::uuid[]))`;

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
        SELECT area::text AS area, replace(${rank}, '@', area || '/')::tsquery AS public_rank,
          replace(${rank}, '@', area || '-')::tsquery AS private_rank
        FROM generate_series(n.last_value >> ${AREA_BITS}::int, 0, -1) AS area
        WHERE ${isInTime(request)}
        OFFSET 0
      ) a
      CROSS JOIN LATERAL (
        SELECT m.*
        FROM unnest(${messages}::text[]) q
        CROSS JOIN LATERAL (SELECT replace(q, '@', a.area)::tsquery AS query OFFSET 0) wanted
        CROSS JOIN LATERAL (
          SELECT ctid, message_id, thread_id, private_to
          FROM message_words
          WHERE words @@ wanted.query AND ${likelyReadable(reader)}
            ${inPeriod(sql`message_id`, request)} ${hasNothingExcluded(sql`wanted.query`, request)}
          OFFSET 0
        ) m
        ORDER BY m.message_id DESC
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
  const { names, rank, reader } = request;
  const [publicNames, ...ofRooms] = names ?? [''];
  /** Builds the conditions that either index answers. */
  const matches = (query: Sql): Sql => sql`
    words @@ ${query} ${inPeriod(sql`id`, request)} ${hasNothingExcluded(query, request)}
  `;
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
        WHERE private_to IS NULL AND ${matches(sql`${publicNames}::tsquery`)}
        UNION ALL
        SELECT p.id, p.type
        FROM unnest(${ofRooms}::tsquery[]) wanted
        CROSS JOIN LATERAL (
          SELECT id, type
          FROM name_words
          WHERE private_to IS NOT NULL AND private_to = ANY(${reader.rooms}::uuid[])
            AND ${matches(sql`wanted`)}
          OFFSET 0
        ) p
        ORDER BY id DESC
      ) n
      WHERE CASE n.type ${join(cases, ' ')} END
      LIMIT ${MAX_RESULTS}
    ) c
  `;
};
