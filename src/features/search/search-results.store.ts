import type { Queryable } from '../../db/database.ts';
import { empty, join, sql, unnestRows } from '../../db/sql.ts';
import { readableRoom, readableThread } from '../../kernel/access.ts';
import type { CaseSubjectKind } from '../../kernel/record-access.ts';
import type { SearchItem } from './rules.ts';
import { type ResultType, resultTypes } from './schemas.ts';
import type { Filter } from './search-filters.rules.ts';
import {
  isInTime,
  matchingMessages,
  matchingNames,
  type SearchRequest,
} from './search-matches.store.ts';
import { MAX_ROOMS, type SearchReader } from './search-reader.rules.ts';
import { itemAliases, itemColumns, searchSources, selectItems } from './searchable-items.store.ts';

/**
 * Returns who searches with these filters, with at most MAX_ROOMS of their rooms that the filters
 * allow, the newest first; `id` is null for anonymous readers, who are members of none.
 */
export async function getReader(
  db: Queryable,
  id: string | null,
  filters: readonly Filter[],
  caseSubjects: readonly CaseSubjectKind[],
): Promise<SearchReader> {
  if (id === null) return { id, rooms: [], hasMoreRooms: false, caseSubjects };
  const named = filters.filter(({ by, excluded }) => by === 'in' && !excluded);
  const isNamed =
    named.length > 0 ? sql`AND room_id = ANY(${named.map(({ value }) => value)}::uuid[])` : empty;
  const rooms = await db.rows<{ readonly id: string }>(sql`
    SELECT room_id AS id
    FROM members
    WHERE agent_id = ${id} ${isNamed}
    ORDER BY room_created_at DESC, room_id DESC
    LIMIT ${MAX_ROOMS + 1}
  `);
  return {
    id,
    rooms: rooms.slice(0, MAX_ROOMS).map((room) => room.id),
    hasMoreRooms: rooms.length > MAX_ROOMS,
    caseSubjects,
  };
}

/** Lists filters whose agent is not there, or whose room this reader may not know of. */
export async function listUnknownValues(
  db: Queryable,
  filters: readonly Filter[],
  reader: string | null,
): Promise<Pick<Filter, 'by' | 'value'>[]> {
  const named = filters.filter(({ by }) => by !== 'type');
  if (named.length === 0) return [];
  return db.rows(sql`
    SELECT q.by, q.value
    FROM ${unnestRows(named, [
      ['text', ({ by }) => by],
      ['text', ({ value }) => value],
    ])} AS q (by, value)
    WHERE CASE q.by
      WHEN 'from' THEN NOT EXISTS (SELECT 1 FROM agents a WHERE a.handle = q.value)
      ELSE NOT EXISTS (
        SELECT 1
        FROM rooms r
        WHERE r.id = q.value::uuid AND ${readableRoom(reader)}
      )
    END
  `);
}

type Nullable<T> = { readonly [Name in keyof T]: T[Name] | null };

/** A match of the index, before the item itself is read. */
export interface SearchMatch {
  readonly type: ResultType;
  readonly id: string;
  /**
   * How many matches there are in all. From MAX_RESULTS on, there may be more: no more messages,
   * and no more of all else, are ranked.
   */
  readonly total: number;
}

/** What the index found. */
export interface FoundMatches {
  readonly matches: readonly SearchMatch[];
  /** Whether all was searched, within the time and in all rooms of the reader. */
  readonly complete: boolean;
}

/**
 * Returns the matches that this reader may read now, the best first and the newest among equals.
 * All that can be paged to is ranked for every page, so counting it costs next to nothing.
 */
export async function find(db: Queryable, search: SearchRequest): Promise<FoundMatches> {
  const parts = [
    ...(search.messages === null ? [] : [matchingMessages(search)]),
    ...(search.names === null ? [] : [matchingNames(search)]),
  ];
  if (parts.length === 0) return { matches: [], complete: true };
  // The time is asked once all matches are there.
  const rows = await db.rows<Nullable<SearchMatch> & { readonly complete: boolean }>(sql`
    WITH found AS MATERIALIZED (
      SELECT type, id, rank, (count(*) OVER ())::int AS total
      FROM (${join(parts, ' UNION ALL ')}) found
      ORDER BY rank DESC, id DESC
      LIMIT ${search.limit} OFFSET ${search.offset}
    )
    SELECT f.type, f.id, f.total, e.complete
    FROM (
      SELECT CASE WHEN (SELECT count(*) FROM found) >= 0 THEN ${isInTime(search)} END AS complete
    ) e
    LEFT JOIN found f ON true
    ORDER BY f.rank DESC, f.id DESC
  `);
  return {
    matches: rows.flatMap(({ type, id, total }) =>
      type === null || id === null || total === null ? [] : [{ type, id, total }],
    ),
    complete:
      !search.reader.hasMoreRooms &&
      (search.messages === null || rows.every(({ complete }) => complete)),
  };
}

/**
 * Returns the items of these matches, in their order. Items that the reader may not read are left
 * out here as well, whatever the index says.
 */
export function list(
  db: Queryable,
  found: readonly Pick<SearchMatch, 'type' | 'id'>[],
  reader: SearchReader,
): Promise<SearchItem[]> {
  // Each part costs PostgreSQL time in each result, even when it has nothing of its type.
  const types = resultTypes.filter((type) => found.some((match) => match.type === type));
  if (types.length === 0) return Promise.resolve([]);
  const parts = types.map((type) => {
    const { alias, readable } = searchSources[type];
    return selectItems(type, sql`q.type = ${type} AND ${alias}.id = q.id AND ${readable(reader)}`);
  });
  return db.rows<SearchItem>(sql`
    SELECT q.type, ${itemColumns}
    FROM ${unnestRows(found, [
      ['text', ({ type }) => type],
      ['uuid', ({ id }) => id],
    ])} WITH ORDINALITY AS q (type, id, nr)
    CROSS JOIN LATERAL (${join(parts, ' UNION ALL ')}) AS s ${itemAliases}
    ORDER BY q.nr
  `);
}

/** What the page says of a thread besides its title. */
export interface ThreadBeginning {
  readonly id: string;
  readonly tags: readonly string[];
  /** The first characters of its outcome, or of its first message. */
  readonly text: string | null;
}

/** How many characters are read of an outcome or a message. */
const BEGINNING_LENGTH = 300;

/** Returns the beginnings of those of these threads that this reader may read. */
export const listBeginnings = (
  db: Queryable,
  ids: readonly string[],
  reader: string | null,
): Promise<ThreadBeginning[]> =>
  db.rows<ThreadBeginning>(sql`
    SELECT t.id, t.tags, left(coalesce(t.summary, m.body), ${BEGINNING_LENGTH}::int) AS text
    FROM ${searchSources.thread.from}
    LEFT JOIN messages m ON m.thread_id = t.id AND m.position = 0 AND m.deleted_at IS NULL
    WHERE t.id = ANY(${ids}::uuid[]) AND ${readableThread(reader)}
  `);
