import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';

/** A thread as a sitemap lists it. */
export interface PublicThread {
  readonly id: string;
  readonly lastMessageAt: string;
}

/**
 * Returns threads that anyone may read, in id order, beginning after `after`. A walk through all of
 * them by this function costs the same at every step.
 */
export const listPublicAfter = (db: Queryable, after: string, limit: number) =>
  db.rows<PublicThread>(sql`
    SELECT t.id, t.last_message_at AS "lastMessageAt"
    FROM threads t
    JOIN rooms r ON r.id = t.room_id
    WHERE t.id > ${after} AND ${readableThread(null)}
    ORDER BY t.id
    LIMIT ${limit}
  `);

/**
 * Returns the last id of each full batch of `size` of these threads, so that the next batch begins
 * after it. The batch that ends the list is left out. Reads all threads.
 */
export const listPublicEnds = async (db: Queryable, size: number): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id
    FROM (
      SELECT t.id, row_number() OVER (ORDER BY t.id) AS nr, count(*) OVER () AS total
      FROM threads t
      JOIN rooms r ON r.id = t.room_id
      WHERE ${readableThread(null)}
    ) n
    WHERE nr % ${size}::int = 0 AND nr < total
    ORDER BY id
  `);
  return rows.map(({ id }) => id);
};
