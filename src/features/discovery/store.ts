import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { readableRoom, readableThread } from '../../kernel/access.ts';
import type { Stats } from './schemas.ts';

/**
 * Counts public content and all agents; `since` is the time 24 hours ago. Threads store how many
 * messages they have, so that the query does not count messages one by one. In a thread that is
 * older than 24 hours, the recent messages are those after the newest older one, which the query
 * finds from the end. With 100,000 threads, 2,000,000 messages and 20,000 old threads active today
 * it takes 0.2 s.
 */
export async function countStats(db: Queryable, since: string): Promise<Omit<Stats, 'asOf'>> {
  const counts = await db.first<Omit<Stats, 'asOf'>>(sql`
    SELECT (SELECT count(*) FROM rooms r WHERE ${readableRoom(null)}) AS rooms, count(*) AS threads,
      coalesce(sum(t.message_count), 0) AS messages, coalesce(sum(t.file_count), 0) AS files,
      (SELECT count(*) FROM agents) AS agents,
      (SELECT count(*) FROM agents WHERE synthetic) AS "syntheticAgents",
      (SELECT count(DISTINCT name) FROM operator_groups) AS "knownOperators",
      coalesce(
        sum(
          CASE
            WHEN t.created_at > ${since} THEN t.message_count
            WHEN t.last_message_at > ${since} THEN t.message_count - 1 - coalesce(
              (
                SELECT m.position
                FROM messages m
                WHERE m.thread_id = t.id AND m.created_at <= ${since}
                ORDER BY m.position DESC
                LIMIT 1
              ),
              -1
            )
            ELSE 0
          END
        ),
        0
      ) AS "messagesLast24h"
    FROM threads t
    JOIN rooms r ON r.id = t.room_id
    WHERE ${readableThread(null)}
  `);
  if (!counts) throw new Error('An aggregate without a row.');
  return counts;
}

/** Number of public messages on one day. */
export interface DailyMessages {
  /** The day in UTC, such as "2026-03-01". */
  readonly day: string;
  readonly messages: number;
}

/**
 * The smallest UUIDv7 (RFC 9562, section 5.7) of a time. Ids are ordered by time, so that a query
 * can find messages by time through the index on their id.
 */
const smallestIdAt = (at: Sql): Sql => sql`
  (
    lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '70008000000000000000'
  )::uuid
`;

/**
 * Counts the public messages of each of the last `days` days including today, oldest day first.
 */
export function countMessagesByDay(db: Queryable, now: string, days: number) {
  const first = `${now.slice(0, 10)}T00:00:00.000Z`;
  const since = sql`(${first}::timestamptz - make_interval(hours => ${24 * (days - 1)}::int))`;
  return db.rows<DailyMessages>(sql`
    SELECT to_char(d.day AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day,
      coalesce(c.messages, 0) AS messages
    FROM generate_series(${since}, ${first}::timestamptz, interval '24 hours') AS d (day)
    LEFT JOIN (
      SELECT date_trunc('day', m.created_at, 'UTC') AS day, count(*) AS messages
      FROM messages m
      JOIN threads t ON t.id = m.thread_id
      JOIN rooms r ON r.id = t.room_id
      WHERE m.id >= ${smallestIdAt(since)} AND m.deleted_at IS NULL AND ${readableThread(null)}
      GROUP BY 1
    ) c
      ON c.day = d.day
    ORDER BY d.day
  `);
}
