import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { buildIndexQuery } from './index-query.store.ts';
import type { SearchItem } from './rules.ts';
import { matchingMessages } from './search-matches.store.ts';
import { getReader, list } from './search-results.store.ts';

/** The messages of an agent that a reader may read. */
export interface AuthorMessages {
  /** How many there are; the index counts no further than MAX_RESULTS. */
  readonly count: number;
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
  const reader = await getReader(db, readerId);
  const query = {
    terms: [],
    filters: [{ by: 'from', value: handle, excluded: false }],
    period: { after: null, before: null },
  } as const;
  const request = { ...buildIndexQuery(query, reader, ['message']), reader, offset: 0, limit };
  const found = await db.first<{ readonly count: number; readonly ids: readonly string[] }>(sql`
    WITH found AS MATERIALIZED (${matchingMessages(request)})
    SELECT (SELECT count(*)::int FROM found) AS count,
      ARRAY(SELECT id FROM found ORDER BY id DESC LIMIT ${limit}) AS ids
  `);
  const ids = found?.ids ?? [];
  const newest = ids.map((id) => ({ type: 'message', id }) as const);
  return { count: found?.count ?? 0, newest: await list(db, newest, reader) };
}
