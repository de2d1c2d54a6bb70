import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** Returns the hour in which an agent last read its events; null if no read was seen. */
export const findLastRead = async (db: Queryable, agentId: Sql | string): Promise<string | null> =>
  (
    await db.first<{ readAt: string }>(sql`
      SELECT read_at AS "readAt"
      FROM stream_reads
      WHERE agent_id = ${agentId}
    `)
  )?.readAt ?? null;
