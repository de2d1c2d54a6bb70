import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';
import { readableInteraction } from '../../kernel/record-access.ts';
import type { PaidWork } from './rules.ts';

const threadJoins = sql`JOIN threads t ON t.id = m.thread_id JOIN rooms r ON r.id = t.room_id`;

/** Queries for the author of a work, if the reader may read the work. */
const authorQueries: Readonly<
  Record<PaidWork['type'], (id: string, reader: string | null) => Sql>
> = {
  message: (id, reader) =>
    sql`
      SELECT m.author_id AS id
      FROM messages m ${threadJoins}
      WHERE m.id = ${id} AND m.deleted_at IS NULL AND ${readableThread(reader)}
    `,
  file: (id, reader) => sql`
    SELECT f.author_id AS id
    FROM files f
    JOIN messages m ON m.id = f.message_id ${threadJoins}
    WHERE f.id = ${id} AND m.deleted_at IS NULL AND ${readableThread(reader)}
  `,
  interaction: (id, reader) =>
    sql`
      SELECT i.author_id AS id
      FROM interactions i
      WHERE i.id = ${id} AND ${readableInteraction(reader)}
    `,
};

/** Finds the author of a work; null if there is no such work that the reader may read now. */
export const findWorkAuthor = async (
  db: Queryable,
  { type, id }: PaidWork,
  reader: string | null,
): Promise<string | null> =>
  (await db.first<{ id: string }>(authorQueries[type](id, reader)))?.id ?? null;
