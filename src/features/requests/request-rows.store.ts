import { cutPage } from '../../db/cut-page.ts';
import type { Queryable } from '../../db/database.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import { readableThread } from '../../kernel/access.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { HeldClaim, RequestRow } from './request-lists.schemas.ts';
import {
  claimJson,
  heldColumns,
  heldNow,
  inLiveThread,
  isFree,
  isHeld,
} from './request-status.store.ts';
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
 * The rows of a list, as alias `q`. The tags of requests that are not over are kept apart, in the
 * order of the list: a page with a tag walks no request without it.
 */
function buildSource({ state, tag }: RequestFilters): Sql {
  if (tag === undefined) return sql`requests q`;
  if (state === 'open' || state === 'claimed')
    return sql`
      (
        SELECT g.created_at, g.message_id, g.room_id, g.is_public, o.thread_id, o.author_id,
          o.state, o.fence, o.claim_id, o.holder_id, o.expires_at
        FROM request_tags g
        JOIN requests o ON o.message_id = g.message_id
        WHERE g.tag = ${tag}
      ) q
    `;
  return sql`
    (
      SELECT o.*
      FROM requests o
      JOIN threads t ON t.id = o.thread_id
      WHERE t.tags @> ARRAY[${tag}::text]
    ) q
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
  const source = buildSource(filters);
  const inRoom = (id: Sql) => (roomId === undefined ? sql`true` : sql`${id} = ${roomId}`);
  const condition = join([inState(state), inLiveThread(state), after], ' AND ');
  const last = sql`${orderBy} LIMIT ${page.offset + page.limit}`;
  const publicRequests = sql`
    (
      SELECT *
      FROM ${source}
      WHERE q.is_public AND ${inRoom(sql`q.room_id`)} AND ${condition} ${last}
    )
  `;
  const privateRequests = sql`
    (
      SELECT p.*
      FROM members m
      CROSS JOIN LATERAL (
        SELECT *
        FROM ${source}
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
