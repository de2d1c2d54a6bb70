import { countUpTo } from '../../db/count-up-to.ts';
import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** More open reports than these are not counted, so that the count is cheap however many wait. */
const MAX_COUNTED = 1_000;

/** Counts the open reports of an agent, up to `most`. */
export const countOfReporter = (db: Queryable, reporterId: string, most: number) =>
  countUpTo(db, most, sql`FROM reports WHERE reporter_id = ${reporterId} AND state = 'open'`);

/** Counts the open reports, up to a thousand. */
export const countOpen = (db: Queryable) =>
  countUpTo(db, MAX_COUNTED, sql`FROM reports WHERE state = 'open'`);

/**
 * Finds the open report that follows this one in the list, or else the newest one; null if no other
 * one is open.
 */
export const findNextOpen = async (db: Queryable, id: string): Promise<string | null> =>
  (
    await db.first<{ id: string }>(sql`
      SELECT coalesce(
          (
            SELECT p.id
            FROM reports p
            WHERE p.state = 'open' AND (p.created_at, p.id) < (r.created_at, r.id)
            ORDER BY p.created_at DESC, p.id DESC
            LIMIT 1
          ),
          (
            SELECT p.id
            FROM reports p
            WHERE p.state = 'open' AND p.id <> r.id
            ORDER BY p.created_at DESC, p.id DESC
            LIMIT 1
          )
        ) AS id
      FROM reports r
      WHERE r.id = ${id}
    `)
  )?.id ?? null;
