import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';

/** A thread as a sitemap lists it. */
export interface PublicThread {
  readonly id: string;
  readonly lastMessageAt: string;
}

/**
 * Returns threads that anyone may read, in id order, beginning after `after` and ending with `last`
 * if there is one. A walk through all of them by this function costs the same at every step.
 */
export const listPublicAfter = (
  db: Queryable,
  { after, last }: { readonly after: string; readonly last: string | undefined },
  limit: number,
) =>
  db.rows<PublicThread>(sql`
    SELECT t.id, t.last_message_at AS "lastMessageAt"
    FROM threads t
    JOIN rooms r ON r.id = t.room_id
    WHERE t.id > ${after}
      AND (${last ?? null}::uuid IS NULL OR t.id <= ${last ?? null}::uuid)
      AND ${readableThread(null)}
    ORDER BY t.id
    LIMIT ${limit}
  `);

/**
 * Returns the id of the last of the `size` public threads after `after`; null if no thread comes
 * after them. Deleted threads count, so that the answer stays the same for ever and on every node.
 */
export async function findPublicEnd(
  db: Queryable,
  after: string,
  size: number,
): Promise<string | null> {
  const [end, next] = await db.rows<{ id: string }>(sql`
    SELECT t.id
    FROM threads t
    JOIN rooms r ON r.id = t.room_id
    WHERE t.id > ${after} AND t.visibility = 'public' AND r.visibility = 'public'
    ORDER BY t.id
    LIMIT 2
    OFFSET ${size - 1}
  `);
  return end && next ? end.id : null;
}
