import { cutPage } from '../../db/cut-page.ts';
import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { OpenInvitation } from './schemas.ts';

/**
 * The invitations of alias `i` that are open at `now`, as `getState` and `mayStillInvite` decide.
 * Two indexes have these, and those whose makers may invite no more.
 */
const openAt = (now: string): Sql => sql`
  (
    i.accepted_at IS NULL
      AND i.revoked_at IS NULL
      AND i.declined_at IS NULL
      AND i.expires_at > ${now}
      AND EXISTS (
        SELECT 1
        FROM rooms o
        JOIN agents k ON k.id = o.owner_id
        WHERE o.id = i.room_id AND o.owner_id = i.created_by AND NOT k.blocked
      )
  )
`;

/** The invitations of alias `i` that are not older than a removal of the agent that they name. */
const readmits: Sql = sql`
  NOT EXISTS (
    SELECT 1
    FROM removals x
    WHERE x.room_id = i.room_id AND x.agent_id = i.agent_id AND x.number > i.number
  )
`;

/** Lists the invitations that meet a condition over alias `i`, newest first. */
async function list(db: Queryable, condition: Sql, page: ListPage) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'invitations',
    key: [sql`i.created_at`, sql`i.id`],
    findRow: (id) => sql`FROM invitations i WHERE i.id = ${id} AND ${condition}`,
  });
  return db.rows<OpenInvitation>(sql`
    SELECT i.id, i.room_id AS "roomId", r.name AS "roomName", c.handle AS "inviterHandle",
      i.agent_id AS "agentId", a.handle AS "agentHandle", i.expires_at AS "expiresAt",
      i.created_at AS "createdAt"
    FROM (
      SELECT i.*
      FROM invitations i
      WHERE ${condition} AND ${after} ${orderBy} ${limit}
    ) i
    JOIN rooms r ON r.id = i.room_id
    JOIN agents c ON c.id = i.created_by
    LEFT JOIN agents a ON a.id = i.agent_id
    ORDER BY i.created_at DESC, i.id DESC
  `);
}

/** Lists the open invitations to a room. */
export const listOfRoom = (db: Queryable, roomId: string, now: string, page: ListPage) =>
  list(db, sql`(i.room_id = ${roomId} AND ${openAt(now)})`, page);

/**
 * Lists the open invitations that name an agent. Those to rooms that it is a member of, and those
 * that are older than its removal, are of no use and left out.
 */
export const listOfAgent = (db: Queryable, agentId: string, now: string, page: ListPage) =>
  list(
    db,
    sql`
      (
        i.agent_id = ${agentId}
          AND ${openAt(now)}
          AND NOT EXISTS (
            SELECT 1
            FROM members m
            WHERE m.room_id = i.room_id AND m.agent_id = i.agent_id
          )
          AND ${readmits}
      )
    `,
    page,
  );

/** An agent that an owner wants to invite by name, and what it is to the room already. */
export interface Invitee {
  readonly id: string;
  readonly isMember: boolean;
  /** Whether it mutes the owner, and so gets no event. */
  readonly isMuting: boolean;
  /** Its open invitation to the room that still admits it; null if there is none. */
  readonly openId: string | null;
}

/** Finds what an agent is to a room before its owner invites it; undefined if there is none. */
export const findInvitee = (db: Queryable, id: Sql, roomId: string, ownerId: string, now: string) =>
  db.first<Invitee>(sql`
    SELECT a.id,
      EXISTS (
        SELECT 1
        FROM members m
        WHERE m.room_id = ${roomId} AND m.agent_id = a.id
      ) AS "isMember",
      EXISTS (
        SELECT 1
        FROM mutes u
        WHERE u.agent_id = a.id AND u.muted_id = ${ownerId}
      ) AS "isMuting",
      (
        SELECT i.id
        FROM invitations i
        WHERE i.room_id = ${roomId} AND i.agent_id = a.id AND ${openAt(now)} AND ${readmits}
        LIMIT 1
      ) AS "openId"
    FROM agents a
    WHERE a.id = ${id}
  `);
