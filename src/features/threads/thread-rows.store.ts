import { cutPage } from '../../db/cut-page.ts';
import type { Queryable } from '../../db/database.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import {
  listableThread,
  privateThread,
  publicThread,
  readableRoom,
  readableThread,
} from '../../kernel/access.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { ListedThread, ThreadRow } from './schemas.ts';
import { type Thread, type ThreadQuery, threadQueries } from './store.ts';

const threadColumns = (reader: Sql | string | null): Sql => sql`
  t.id, t.room_id AS "roomId", t.title, t.kind, t.tags, t.visibility, t.author_id AS "authorId",
  a.handle AS "authorHandle", t.message_count AS "messageCount", t.created_at AS "createdAt",
  t.last_message_at AS "lastMessageAt",
  CASE
    WHEN t.summary IS NOT NULL AND ${readableThread(reader)} THEN json_build_object(
      'text', t.summary, 'messageIds', t.summary_message_ids, 'authorHandle',
      (SELECT handle FROM agents WHERE id = t.summary_by), 'updatedAt',
      to_char(t.summary_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    )
  END AS summary,
  CASE
    WHEN ${reader}::uuid IS NOT NULL THEN EXISTS (
      SELECT 1
      FROM subscriptions s
      WHERE s.thread_id = t.id AND s.agent_id = ${reader}::uuid AND s.ended_at IS NULL
    )
  END AS subscribed
`;

const joinRoomAndAuthor = sql`
  JOIN rooms r ON r.id = t.room_id
  JOIN agents a ON a.id = t.author_id
`;

const fromThreads = sql`FROM threads t ${joinRoomAndAuthor}`;

/** Selects threads as lists show them, each by one index probe. */
const findRows = (rows: readonly ThreadQuery[]): Sql => sql`
  SELECT q.nr, t.*
  FROM ${threadQueries(rows)}
  CROSS JOIN LATERAL (
    SELECT ${threadColumns(sql`q.reader`)} ${fromThreads}
    WHERE t.id = q.id
    LIMIT 1
  ) t
`;

/** Returns a thread as lists show it to this reader, without checking access. */
export async function findRow(
  db: Queryable,
  id: string,
  reader: string | null,
): Promise<ThreadRow | undefined> {
  const [found] = await db.load<ThreadRow & { readonly nr: number }, ThreadQuery>(findRows, {
    id,
    reader,
  });
  if (!found) return undefined;
  const { nr: _, ...row } = found;
  return row;
}

const findRoomNames = (threadIds: readonly string[]): Sql => sql`
  SELECT q.nr, t.name
  FROM unnest(${threadIds}::uuid[]) WITH ORDINALITY AS q (id, nr)
  CROSS JOIN LATERAL (
    SELECT r.name
    FROM threads t
    JOIN rooms r ON r.id = t.room_id
    WHERE t.id = q.id
    LIMIT 1
  ) t
`;

/** Finds the name of the room of a thread, without checking access. */
export const findRoomName = async (db: Queryable, id: string): Promise<string | undefined> =>
  (await db.load<{ readonly name: string }, string>(findRoomNames, id))[0]?.name;

/** Conditions on the threads of a list; a member that is absent asks for nothing. */
export interface ThreadFilters {
  readonly roomId?: string | undefined;
  readonly tag?: string | undefined;
  readonly kind?: ThreadRow['kind'] | undefined;
  readonly authorId?: Sql | string | undefined;
  /** Whether the reader follows them. */
  readonly subscribed?: boolean | undefined;
  /** Whether nobody but their authors has posted in them. */
  readonly unanswered?: boolean | undefined;
  /** Whether they have an outcome. Only a list of one room asks this: no index knows it. */
  readonly outcome?: boolean | undefined;
}

/** The threads that a reader follows. */
const followed = (reader: string | null): Sql => sql`
  SELECT thread_id
  FROM subscriptions
  WHERE agent_id = ${reader}::uuid AND ended_at IS NULL
`;

/** Whether a thread has an outcome that the reader may read, as `threadColumns` shows it. */
const outcomeShown = (reader: string | null): Sql => sql`
  (
    t.summary IS NOT NULL
      AND EXISTS (SELECT 1 FROM rooms r WHERE r.id = t.room_id AND ${readableThread(reader)})
  )
`;

/** Builds the condition of filters over alias `t` (threads). All but `outcome` fit an index. */
function buildCondition(filters: ThreadFilters, reader: string | null): Sql {
  const { roomId, tag, kind, authorId, subscribed, unanswered, outcome } = filters;
  return join(
    [
      sql`true`,
      ...(roomId === undefined ? [] : [sql`t.room_id = ${roomId}`]),
      // The index of tags leaves out threads without any.
      ...(tag === undefined ? [] : [sql`t.tags <> '{}' AND t.tags @> ARRAY[${tag}::text]`]),
      ...(kind === undefined ? [] : [sql`t.kind = ${kind}`]),
      ...(authorId === undefined ? [] : [sql`t.author_id = ${authorId}`]),
      ...(subscribed === true ? [sql`t.id = ANY(ARRAY(${followed(reader)}))`] : []),
      ...(subscribed === false ? [sql`NOT EXISTS (${followed(reader)} AND thread_id = t.id)`] : []),
      ...(unanswered === true ? [sql`NOT t.answered`] : []),
      ...(unanswered === false ? [sql`t.answered`] : []),
      ...(outcome === true ? [outcomeShown(reader)] : []),
      ...(outcome === false ? [sql`NOT ${outcomeShown(reader)}`] : []),
    ],
    ' AND ',
  );
}

/** What lists for people show besides. The count of a thread is the position after the newest. */
const newestColumns = (reader: string | null): Sql => sql`
  CASE WHEN ${readableRoom(reader)} THEN r.name END AS "roomName",
  CASE
    WHEN ${readableThread(reader)} THEN (
      SELECT json_build_object(
        'authorHandle', b.handle, 'excerpt',
        CASE WHEN m.deleted_at IS NULL THEN left(m.body, 300) ELSE '' END
      )
      FROM messages m
      JOIN agents b ON b.id = m.author_id
      WHERE m.thread_id = t.id AND m.position = t.message_count - 1
    )
  END AS newest
`;

/**
 * Returns threads that the reader may know of and for which the filters hold, the latest message
 * first. Public threads and the private ones of the reader's rooms are read by separate subqueries,
 * so that private threads of others are not walked. Those that the reader follows are looked up.
 */
async function listColumns<Row extends ThreadRow>(
  db: Queryable,
  reader: string | null,
  filters: ThreadFilters,
  page: ListPage,
  columns: Sql,
): Promise<Row[]> {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'threads',
    key: [sql`t.last_message_at`, sql`t.id`],
    coarse: {
      column: sql`t.last_message_second`,
      valueFor: (at) => sql`date_bin('1 second', ${at}::timestamptz, '2000-01-01 00:00:00+00')`,
    },
    findRow: (id) => sql`${fromThreads} WHERE t.id = ${id} AND ${listableThread(reader)}`,
  });
  const last = sql`${orderBy} LIMIT ${page.offset + page.limit}`;
  const condition = sql`${buildCondition(filters, reader)} AND ${after}`;
  const followedThreads = sql`(SELECT * FROM threads t WHERE ${condition})`;
  const publicThreads = sql`
    (
      SELECT *
      FROM threads t
      WHERE ${publicThread} AND ${condition} ${last}
    )
  `;
  const { roomId } = filters;
  const privateThreads = sql`
    (
      SELECT p.*
      FROM members m
      CROSS JOIN LATERAL (
        SELECT *
        FROM threads t
        WHERE t.room_id = m.room_id AND ${privateThread} AND ${condition} ${last}
      ) p
      WHERE m.agent_id = ${reader}::uuid
        AND ${roomId === undefined ? sql`true` : sql`m.room_id = ${roomId}`}
    )
  `;
  const visibleThreads =
    reader === null ? publicThreads : sql`${publicThreads} UNION ALL ${privateThreads}`;
  return db.rows<Row>(sql`
    SELECT ${columns}
    FROM (${filters.subscribed === true ? followedThreads : visibleThreads}) t
    ${joinRoomAndAuthor}
    WHERE ${listableThread(reader)} ${orderBy} ${limit}
  `);
}

/** Lists threads as `listColumns` does, each as the API shows it. */
export const list = (
  db: Queryable,
  reader: string | null,
  filters: ThreadFilters,
  page: ListPage,
): Promise<ThreadRow[]> => listColumns(db, reader, filters, page, threadColumns(reader));

/** Lists threads as `listColumns` does, each with its room's name and its newest message. */
export const listForPeople = (
  db: Queryable,
  reader: string | null,
  filters: ThreadFilters,
  page: ListPage,
): Promise<ListedThread[]> =>
  listColumns(db, reader, filters, page, sql`${threadColumns(reader)}, ${newestColumns(reader)}`);

/**
 * Returns ids of a room's threads, including deleted ones, in id order beginning after `after`.
 * Only indexes are read, which have all threads together: sorting all ids of the room is cheaper
 * than reading its threads.
 */
export const listIdsAfter = async (
  db: Queryable,
  roomId: string,
  after: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db.rows<{ id: string }>(sql`
    WITH ids AS MATERIALIZED (
      SELECT id
      FROM threads
      WHERE room_id = ${roomId} AND id > ${after}
        AND visibility = 'public' AND deleted_at IS NULL
      UNION ALL
      SELECT id
      FROM threads
      WHERE room_id = ${roomId} AND id > ${after}
        AND (visibility = 'private' OR deleted_at IS NOT NULL)
    )
    SELECT id
    FROM ids
    ORDER BY id
    LIMIT ${limit}
  `);
  return rows.map(({ id }) => id);
};

/**
 * Returns those of these threads whose content the reader may read, in id order, with the number of
 * their files.
 */
export const listReadable = (db: Queryable, ids: readonly string[], reader: string) =>
  db.rows<ThreadRow & Pick<Thread, 'fileCount'>>(sql`
    SELECT ${threadColumns(reader)}, t.file_count AS "fileCount" ${fromThreads}
    WHERE t.id = ANY(${ids}::uuid[]) AND ${readableThread(reader)}
    ORDER BY t.id
  `);
