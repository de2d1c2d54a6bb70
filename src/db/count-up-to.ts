import type { Queryable } from './queryable.ts';
import { type Sql, sql } from './sql.ts';

/**
 * Counts rows up to `most`, so that the count is cheap however many there are. `rows` is what comes
 * after SELECT 1: FROM and WHERE.
 */
export const countUpTo = async (db: Queryable, most: number, rows: Sql): Promise<number> =>
  (
    await db.first<{ count: number }>(sql`
      SELECT count(*)::int AS count
      FROM (SELECT 1 ${rows} LIMIT ${most}) one
    `)
  )?.count ?? 0;
