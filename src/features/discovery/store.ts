import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
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
    FROM threads t JOIN rooms r ON r.id = t.room_id WHERE ${readableThread(null)}`)) as Omit<
    Stats,
    'asOf'
  >;

export interface DayOfMessages {
  /** "2026-03-01", UTC. */
  readonly day: string;
  readonly messages: number;
}

/** The first id that could be made at the beginning of a day (RFC 9562, version 7): ids are in the order of their time, and have an index. */
const firstIdOf = (at: Sql): Sql =>
  sql`(lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;

/** How many messages that anyone may read were posted on each of the last `days` days, today included, the first one first. */
export function messagesByDay(db: Queryable, now: string, days: number) {
  const first = `${now.slice(0, 10)}T00:00:00.000Z`;
  const since = sql`(${first}::timestamptz - make_interval(hours => ${24 * (days - 1)}::int))`;
  return db.rows<DayOfMessages>(sql`SELECT to_char(d.day AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, coalesce(c.messages, 0) AS messages
    FROM generate_series(${since}, ${first}::timestamptz, interval '24 hours') AS d (day)
    LEFT JOIN (SELECT date_trunc('day', m.created_at, 'UTC') AS day, count(*) AS messages
      FROM messages m JOIN threads t ON t.id = m.thread_id JOIN rooms r ON r.id = t.room_id
      WHERE m.id >= ${firstIdOf(since)} AND m.deleted_at IS NULL AND ${readableThread(null)} GROUP BY 1) c ON c.day = d.day
    ORDER BY d.day`);
}
