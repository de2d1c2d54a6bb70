import { cutPage } from '../../db/cut-page.ts';
import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { privateThread, publicThread, readableRoom, roleIn } from '../../kernel/access.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { RoomRow } from './schemas.ts';

/** The time of the newest message in the threads of the room `r` that meet a condition. */
const newestMessageIn = (condition: Sql): Sql => sql`
  (
    SELECT t.last_message_at
    FROM threads t
    WHERE t.room_id = r.id AND ${condition}
    ORDER BY t.last_message_second DESC, t.last_message_at DESC
    LIMIT 1
  )
`;

/** Columns of the room `r` with the owner `a`, whose proposal counts unless it is blocked. */
const roomColumns = (reader: string | null): Sql => sql`
  r.id, r.name, r.description, r.visibility, r.accepts_notices AS "acceptsNotices",
  r.owner_id AS "ownerId", a.handle AS "ownerHandle", r.member_count AS "memberCount",
  CASE
    WHEN ${roleIn(reader)} IS NULL THEN r.open_thread_count
    ELSE r.thread_count
  END AS "threadCount",
  r.created_at AS "createdAt",
  coalesce(
    greatest(
      ${newestMessageIn(publicThread)},
      CASE WHEN ${roleIn(reader)} IS NOT NULL THEN ${newestMessageIn(privateThread)} END
    ),
    r.created_at
  ) AS "lastActivityAt",
  ${roleIn(reader)} AS role, r.archived_at IS NOT NULL AS archived,
  CASE
    WHEN ${reader}::uuid IS NOT NULL THEN EXISTS (
      SELECT 1
      FROM room_subscriptions s
      WHERE s.room_id = r.id AND s.agent_id = ${reader}::uuid
    )
  END AS subscribed,
  CASE
    WHEN ${reader}::uuid IN (r.owner_id, r.proposed_owner_id) AND NOT a.blocked
    THEN r.proposed_owner_id
  END AS "proposedOwnerId"
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

/** Returns a room as this reader sees it. The caller has checked that it may. */
export const getRow = async (db: Queryable, id: string, reader: string): Promise<RoomRow> =>
  (await findRow(db, id, reader)) as RoomRow;

/** Which rooms a list has. */
export interface RoomFilter {
  /** Only rooms of which the reader is a member. */
  readonly mine: boolean;
  /** Only archived rooms, or only others; null for both. */
  readonly archived: boolean | null;
}

const archivedCondition = (archived: boolean | null): Sql => {
  if (archived === null) return sql`true`;
  return archived ? sql`archived_at IS NOT NULL` : sql`archived_at IS NULL`;
};

/** What a list of rooms is sorted by. An index of public rooms has each order. */
const orders = {
  /** An index of the memberships of an agent has this order too. */
  newest: { key: [sql`r.created_at`, sql`r.id`] },
  /** Without regard to case. Only rooms that are not archived have an index of it. */
  name: { key: [sql`lower(r.name)`, sql`r.id`], ascending: true },
};

/**
 * Lists the rooms that the reader may see. Public rooms and the reader's private ones are read by
 * separate subqueries, so that private rooms of others are not walked. The page is cut before
 * anything is counted.
 */
async function listInOrder(
  db: Queryable,
  reader: string | null,
  filter: RoomFilter,
  page: ListPage,
  order: keyof typeof orders,
) {
  const condition = archivedCondition(filter.archived);
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'rooms',
    ...orders[order],
    findRow: (id) => sql`FROM rooms r WHERE r.id = ${id} AND ${readableRoom(reader)}`,
  });
  const listPublic = (archived: boolean): Sql => sql`
    (
      SELECT r.*
      FROM rooms r
      WHERE r.visibility = 'public' AND ${archivedCondition(archived)} AND ${after} ${orderBy}
      LIMIT ${page.offset + page.limit}
    )
  `;
  const publicRooms =
    filter.archived === null
      ? sql`${listPublic(false)} UNION ALL ${listPublic(true)}`
      : listPublic(filter.archived);
  // Each membership looks up its room, so that rooms of others are not walked.
  const findOwn = (id: Sql): Sql => sql`
    LATERAL (
      SELECT *
      FROM rooms
      WHERE id = ${id} AND ${condition} AND (${filter.mine}::bool OR visibility = 'private')
      LIMIT 1
    )
  `;
  const ownRooms =
    order === 'newest'
      ? sql`
          (
            SELECT own.*
            FROM (
              SELECT room_id AS id, room_created_at AS created_at
              FROM members
              WHERE agent_id = ${reader}::uuid
            ) r
            CROSS JOIN ${findOwn(sql`r.id`)} own
            WHERE ${after} ${orderBy}
            LIMIT ${page.offset + page.limit}
          )
        `
      : sql`
          SELECT r.*
          FROM members m
          CROSS JOIN ${findOwn(sql`m.room_id`)} r
          WHERE m.agent_id = ${reader}::uuid AND ${after}
        `;
  const seen = reader === null ? publicRooms : sql`${publicRooms} UNION ALL ${ownRooms}`;
  return db.rows<RoomRow>(sql`
    SELECT ${roomColumns(reader)}
    FROM (
      SELECT r.*
      FROM (${filter.mine ? ownRooms : seen}) r
      WHERE ${readableRoom(reader)} ${orderBy} ${limit}
    ) r
    JOIN agents a ON a.id = r.owner_id
    ${orderBy}
  `);
}

/** Lists the rooms that the reader may see, newest first. */
export const list = (db: Queryable, reader: string | null, filter: RoomFilter, page: ListPage) =>
  listInOrder(db, reader, filter, page, 'newest');

/** Lists the rooms that are not archived and that the reader may see, by name. */
export const listByName = (
  db: Queryable,
  reader: string | null,
  page: Pick<ListPage, 'offset' | 'limit'>,
) => listInOrder(db, reader, { mine: false, archived: false }, page, 'name');
