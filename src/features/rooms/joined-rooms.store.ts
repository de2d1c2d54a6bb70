import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { readableRoom } from '../../kernel/access.ts';

/** Counts the rooms of an agent that the reader may read. */
export const countReadable = async (
  db: Queryable,
  agentId: Sql | string,
  reader: string | null,
): Promise<number> =>
  (
    await db.first<{ readonly count: number }>(sql`
      SELECT count(*)::int AS count
      FROM members j
      JOIN rooms r ON r.id = j.room_id
      WHERE j.agent_id = ${agentId} AND ${readableRoom(reader)}
    `)
  )?.count ?? 0;
