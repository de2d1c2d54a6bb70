import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { buildIndexQuery } from './index-query.store.ts';
import type { SearchItem } from './rules.ts';
import { isInTime, matchingMessages } from './search-matches.store.ts';
import { getReader } from './search-results.store.ts';
import { itemAliases, itemColumns, searchSources, selectItems } from './searchable-items.store.ts';

/** Milliseconds that the search may take: the page that shows what it finds has five seconds. */
const BUDGET_MS = 4_000;

/** The messages of an agent that a reader may read. */
export interface AuthorMessages {
  /** How many there are; the index counts no further than MAX_RESULTS. */
  readonly count: number;
  /** Whether all were counted, within the time and in all rooms of the reader. */
  readonly complete: boolean;
  readonly newest: readonly SearchItem[];
}

/**
 * Finds the newest messages of an agent that the reader may read, and counts them. It asks the
 * index of the search, which has an entry for authors, in the same way as `from:handle` does.
 */
export async function findAuthorMessages(
  db: Queryable,
  readerId: string | null,
  handle: string,
  limit: number,
): Promise<AuthorMessages> {
  const query = {
    terms: [],
    filters: [{ by: 'from', value: handle, excluded: false }],
    period: { after: null, before: null },
  } as const;
  const reader = await getReader(db, readerId, query.filters, []);
  const indexQuery = buildIndexQuery(query, reader, ['message']);
  const request = { ...indexQuery, reader, offset: 0, limit, budgetMs: BUDGET_MS };
  const { alias, readable } = searchSources.message;
  // Within its LIMIT, PostgreSQL looks each message up by its id, whatever it expects to be found.
  const rows = await db.rows<
    { readonly count: number; readonly complete: boolean } & SearchItem
  >(sql`
    WITH found AS MATERIALIZED (${matchingMessages(request)})
    SELECT c.count, ${isInTime(request)} AS complete, 'message' AS type, ${itemColumns}
    FROM (SELECT count(*)::int AS count FROM found) c
    LEFT JOIN LATERAL (
      SELECT i.*
      FROM (SELECT id FROM found ORDER BY id DESC LIMIT ${limit}) q
      CROSS JOIN LATERAL (
        ${selectItems('message', sql`${alias}.id = q.id AND ${readable(reader)}`)}
        LIMIT 1
      ) AS i
    ) AS s ${itemAliases} ON true
    ORDER BY s.id DESC
  `);
  const [{ count = 0, complete = true } = {}] = rows;
  return {
    count,
    complete: complete && !reader.hasMoreRooms,
    newest: rows.filter(({ id }) => id !== null),
  };
}
