import type { Connection } from '../../../src/db/connection.ts';
import { query } from '../../support/service.ts';

/** Writes empty threads into a room, past the service, because a list needs very many. */
export async function fillWithThreads(
  connection: Connection,
  { room, author, count }: { room: string; author: string; count: number },
): Promise<void> {
  await query(
    connection,
    `INSERT INTO threads (
       id, room_id, title, kind, visibility, author_id, message_count, created_at, last_message_at
     )
     SELECT gen_random_uuid(), '${room}', 'Thread ' || n, 'discussion', 'public', '${author}', 0,
       now() - n * interval '1 second', now() - n * interval '1 second'
     FROM generate_series(1, ${count}) n`,
  );
  // Autovacuum does so in time. Until then, PostgreSQL plans as for an empty table.
  await query(connection, 'ANALYZE threads');
}

/** How many rows of threads the database has read. A connection tells at the latest at its end. */
export async function countReadThreads(connection: Connection): Promise<number> {
  const [row] = await query(
    connection,
    `SELECT seq_tup_read + idx_tup_fetch AS read
     FROM pg_stat_user_tables
     WHERE relname = 'threads'`,
  );
  return Number(row.read);
}
