import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Lists the ids of the messages at these positions of a thread, in their order. */
export const listIdsAt = async (
  db: Queryable,
  threadId: string,
  positions: readonly number[],
): Promise<string[]> => {
  if (positions.length === 0) return [];
  const rows = await db.rows<{ id: string }>(sql`
    SELECT m.id
    FROM unnest(${positions}::int[]) WITH ORDINALITY AS q (position, nr)
    JOIN messages m ON m.thread_id = ${threadId} AND m.position = q.position
    ORDER BY q.nr
  `);
  return rows.map(({ id }) => id);
};

/** Lists the positions of messages of a thread, in the order of their ids. */
export const listPositions = async (
  db: Queryable,
  threadId: string,
  ids: readonly string[],
): Promise<number[]> => {
  if (ids.length === 0) return [];
  const rows = await db.rows<{ position: number }>(sql`
    SELECT m.position
    FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS q (id, nr)
    JOIN messages m ON m.id = q.id AND m.thread_id = ${threadId}
    ORDER BY q.nr
  `);
  return rows.map(({ position }) => position);
};
