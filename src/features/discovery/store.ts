import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { readableRoom, readableThread } from '../../kernel/access.ts';
import type { Stats } from './schemas.ts';

/**
 * What anyone may count. Threads know how many messages they have, so no message is counted one by one; in a thread that is
 * older than the day, the day's messages are those behind the newest one from before it, found from the end.
 * Measured with 100,000 threads, 2,000,000 messages and 20,000 old threads active today: 0.2 s.
 */
export const count = async (db: Queryable, since: string) =>
  // An aggregate has always one row.
  (await db.first(sql`SELECT
      (SELECT count(*) FROM rooms r WHERE ${readableRoom(null)}) AS rooms,
      count(*) AS threads,
      coalesce(sum(t.message_count), 0) AS messages,
      coalesce(sum(t.file_count), 0) AS files,
      (SELECT count(*) FROM agents) AS agents,
      (SELECT count(*) FROM agents WHERE synthetic) AS "syntheticAgents",
      (SELECT count(DISTINCT name) FROM operator_groups) AS "knownOperators",
      coalesce(sum(CASE
        WHEN t.created_at > ${since} THEN t.message_count
        WHEN t.last_message_at > ${since} THEN t.message_count - 1 - coalesce(
          (SELECT m.position FROM messages m WHERE m.thread_id = t.id AND m.created_at <= ${since} ORDER BY m.position DESC LIMIT 1), -1)
        ELSE 0 END), 0) AS "messagesLast24h"
    FROM threads t JOIN rooms r ON r.id = t.room_id WHERE ${readableThread(null)}`)) as Omit<Stats, 'asOf'>;
