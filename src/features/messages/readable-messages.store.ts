import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';
import { messageColumns, readMessages } from './message-ranges.store.ts';
import type { Message } from './schemas.ts';

/** A message, and whether it has files, which are missing in it. */
export interface ReadableMessage extends Message {
  readonly hasFiles: boolean;
}

/**
 * Lists those of these messages that the reader may read now, in the order of the ids, until their
 * bodies have `maxBytes`, and at least the first one.
 */
export const listReadable = (
  db: Queryable,
  ids: readonly string[],
  reader: string,
  maxBytes: number,
) =>
  readMessages<ReadableMessage>(
    db,
    sql`
    SELECT ${messageColumns(reader)},
      EXISTS (SELECT 1 FROM files f WHERE f.message_id = m.id) AS "hasFiles"
    FROM (
      SELECT m.*, q.nr,
        sum(octet_length(m.body)) OVER (ORDER BY q.nr) - octet_length(m.body) AS before
      FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS q (id, nr)
      JOIN messages m ON m.id = q.id
      JOIN threads t ON t.id = m.thread_id
      JOIN rooms r ON r.id = t.room_id
      WHERE m.deleted_at IS NULL AND ${readableThread(reader)}
    ) m
    JOIN agents a ON a.id = m.author_id
    WHERE m.before < ${maxBytes}::int
    ORDER BY m.nr
  `,
  );
