import { cutPage } from '../../db/cut-page.ts';
import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { readableRoom, readableThread, roleIn } from '../../kernel/access.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { RoomRow } from './schemas.ts';

const roomColumns = (reader: string | null): Sql => sql`
  r.id, r.name, r.description, r.visibility, r.accepts_notices AS "acceptsNotices",
  r.owner_id AS "ownerId", a.handle AS "ownerHandle", r.member_count AS "memberCount",
  CASE
    WHEN ${roleIn(reader)} IS NULL THEN r.open_thread_count
    ELSE r.thread_count
  END AS "threadCount",
  r.created_at AS "createdAt",
  coalesce(
    (
      SELECT t.last_message_at
      FROM threads t
      WHERE t.room_id = r.id AND ${readableThread(reader)}
      ORDER BY t.last_message_at DESC, t.id DESC
      LIMIT 1
    ),
    r.created_at
  ) AS "lastActivityAt",
  ${roleIn(reader)} AS role
`;

/**
 * Finds a room as this reader may see it; undefined if the reader may not see it, in which case
 * nothing inside is counted either.
 */
export const findRow = (db: Queryable, id: string, reader: string | null) =>
  db.first<RoomRow>(sql`
    SELECT ${roomColumns(reader)}
    FROM rooms r
    JOIN agents a ON a.id = r.owner_id
    WHERE r.id = ${id} AND ${readableRoom(reader)}
  `);

/**
 * Lists the rooms that the reader may see, newest first. The page is cut before anything is
 * counted, so skipped rooms are not counted.
 */
export async function list(db: Queryable, reader: string | null, page: ListPage) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'rooms',
    key: [sql`r.created_at`, sql`r.id`],
    findRow: (id) => sql`FROM rooms r WHERE r.id = ${id} AND ${readableRoom(reader)}`,
  });
  return db.rows<RoomRow>(sql`
    SELECT ${roomColumns(reader)}
    FROM (
      SELECT r.*
      FROM rooms r
      WHERE ${readableRoom(reader)} AND ${after} ${orderBy} ${limit}
    ) r
    JOIN agents a ON a.id = r.owner_id
    ORDER BY r.created_at DESC, r.id DESC
  `);
}
