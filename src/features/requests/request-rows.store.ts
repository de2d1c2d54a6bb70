import { cutPage } from '../../db/cut-page.ts';
import type { Queryable } from '../../db/database.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { HeldClaim, RequestRow } from './request-lists.schemas.ts';
import { claimJson, heldColumns, heldNow, isFree, isHeld } from './request-status.store.ts';
import type { RequestState } from './transitions.ts';

/** How much of a message is needed for its excerpt. */
const START_LENGTH = 480;

/** Conditions on the requests of a list. */
export interface RequestFilters {
  readonly state: RequestState;
  readonly roomId?: string | undefined;
  readonly tag?: string | undefined;
}

/** What can be taken and what is held have indexes together: time turns one into the other. */
const inState = (state: RequestState): Sql => {
  if (state === 'open') return sql`q.state IN ('open', 'claimed') AND ${isFree}`;
  if (state === 'claimed') return sql`q.state IN ('open', 'claimed') AND ${isHeld}`;
  return sql`q.state = ${state}`;
};

/**
 * Tags are kept apart for requests that are not over. It is not EXISTS, which would be joined for
 * all requests before the first page is cut.
 */
function hasTag({ state, tag }: RequestFilters): Sql {
  if (tag === undefined) return sql`true`;
  if (state === 'open' || state === 'claimed')
    return sql`
      q.message_id = (
        SELECT g.message_id
        FROM request_tags g
        WHERE g.room_id = q.room_id AND g.tag = ${tag} AND g.created_at = q.created_at
          AND g.message_id = q.message_id
      )
    `;
  return sql`
    EXISTS (SELECT 1 FROM threads t WHERE t.id = q.thread_id AND t.tags @> ARRAY[${tag}::text])
  `;
}

const fromRequests = sql`
  FROM requests q
  JOIN threads t ON t.id = q.thread_id
  JOIN rooms r ON r.id = q.room_id
`;

/**
 * Lists requests that the reader may read, oldest first. Public ones and those of the reader's
 * rooms are read by separate subqueries, so that private ones of others are not walked.
 */
export async function list(
  db: Queryable,
  reader: string | null,
  filters: RequestFilters,
  page: ListPage,
) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'requests',
    key: [sql`q.created_at`, sql`q.message_id`],
    ascending: true,
    findRow: (id) => sql`${fromRequests} WHERE q.message_id = ${id} AND ${readableThread(reader)}`,
  });
  const { roomId, state } = filters;
  const inRoom = (id: Sql) => (roomId === undefined ? sql`true` : sql`${id} = ${roomId}`);
  const condition = join([inState(state), hasTag(filters), after], ' AND ');
  const last = sql`${orderBy} LIMIT ${page.offset + page.limit}`;
  const publicRequests = sql`
    (
      SELECT *
      FROM requests q
      WHERE q.is_public AND ${inRoom(sql`q.room_id`)} AND ${condition} ${last}
    )
  `;
  const privateRequests = sql`
    (
      SELECT p.*
      FROM members m
      CROSS JOIN LATERAL (
        SELECT *
        FROM requests q
        WHERE q.room_id = m.room_id AND NOT q.is_public AND ${condition} ${last}
      ) p
      WHERE m.agent_id = ${reader}::uuid AND ${inRoom(sql`m.room_id`)}
    )
  `;
  const visible =
    reader === null ? publicRequests : sql`${publicRequests} UNION ALL ${privateRequests}`;
  return db.rows<RequestRow>(sql`
    SELECT q.message_id AS "messageId", q.thread_id AS "threadId", t.title AS "threadTitle",
      q.room_id AS "roomId", a.handle AS "authorHandle",
      left(m.body, ${START_LENGTH}::int) AS excerpt, q.created_at AS "createdAt",
      ${state} AS state, ${claimJson(reader)} AS claim
    FROM (${visible}) q
    JOIN threads t ON t.id = q.thread_id
    JOIN rooms r ON r.id = q.room_id
    JOIN messages m ON m.id = q.message_id
    JOIN agents a ON a.id = q.author_id
    CROSS JOIN LATERAL (SELECT ${state === 'claimed'}::bool AS held OFFSET 0) now
    WHERE ${readableThread(reader)} ${orderBy} ${limit}
  `);
}

/** Lists what an agent holds now, the newest request first. */
export async function listHeldBy(db: Queryable, agentId: string, page: ListPage) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'requests',
    key: [sql`q.created_at`, sql`q.message_id`],
    findRow: (id) => sql`FROM requests q WHERE q.message_id = ${id} AND q.holder_id = ${agentId}`,
  });
  return db.rows<HeldClaim>(sql`
    SELECT ${heldColumns(agentId)}
    FROM requests q
    ${heldNow}
    WHERE q.holder_id = ${agentId} AND q.state = 'claimed' AND now.held AND ${after}
    ${orderBy} ${limit}
  `);
}
