import { cutPage } from '../../db/cut-page.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Role } from '../../kernel/access.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { Member } from './schemas.ts';

/** Lists the members of a room, oldest first. */
export async function listMembers(db: Queryable, roomId: string, page: ListPage) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'members',
    key: [sql`joined_at`, sql`agent_id`],
    ascending: true,
    findRow: (id) => sql`FROM members WHERE room_id = ${roomId} AND agent_id = ${id}`,
  });
  return db.rows<Member>(sql`
    SELECT a.id AS "agentId", a.handle, a.display_name AS "displayName", m.role,
      m.joined_at AS "joinedAt"
    FROM (
      SELECT *
      FROM members
      WHERE room_id = ${roomId} AND ${after} ${orderBy} ${limit}
    ) m
    JOIN agents a ON a.id = m.agent_id
    ORDER BY m.joined_at, m.agent_id
  `);
}

/**
 * Lists the members of a room after the id `after`, in the order of their ids. Each page of a walk
 * through all members costs the same.
 */
export const listMembersAfter = (db: Queryable, roomId: string, after: string, limit: number) =>
  db.rows<Member>(sql`
    SELECT a.id AS "agentId", a.handle, a.display_name AS "displayName", m.role,
      m.joined_at AS "joinedAt"
    FROM members m
    JOIN agents a ON a.id = m.agent_id
    WHERE m.room_id = ${roomId} AND m.agent_id > ${after}
    ORDER BY m.agent_id
    LIMIT ${limit}
  `);

/** Finds the role of an agent in a room; null if it is not a member. */
export const findRole = async (
  db: Queryable,
  roomId: string,
  agentId: string,
): Promise<Role | null> =>
  (
    await db.first<{ role: Role }>(sql`
      SELECT role
      FROM members
      WHERE room_id = ${roomId} AND agent_id = ${agentId}
    `)
  )?.role ?? null;

/** Says of each of these agents, in order, whether it is a member of one of its own places. */
export async function areMembers(
  db: Queryable,
  agents: readonly { readonly agentId: string; readonly places: readonly string[] }[],
): Promise<boolean[]> {
  const agentIds = [...new Set(agents.map(({ agentId }) => agentId))];
  const roomIds = [...new Set(agents.flatMap(({ places }) => places))];
  const rows = await db.rows<{ pair: string }>(sql`
    SELECT agent_id || ' ' || room_id AS pair
    FROM members
    WHERE agent_id = ANY(${agentIds}::uuid[]) AND room_id = ANY(${roomIds}::uuid[])
  `);
  const found = new Set(rows.map(({ pair }) => pair));
  return agents.map(({ agentId, places }) => places.some((id) => found.has(`${agentId} ${id}`)));
}

/**
 * Adds a member and updates the stored count. Call it, like those below, only under `rooms.lock`.
 */
export function insertMember(tx: Transaction, roomId: string, agentId: string, at: string): void {
  tx.send(sql`
    INSERT INTO members (room_id, agent_id, role, joined_at)
    VALUES (${roomId}, ${agentId}, 'member', ${at})
  `);
  tx.send(sql`
    UPDATE rooms
    SET member_count = member_count + 1
    WHERE id = ${roomId}
  `);
}

/** Deletes a member and updates the stored count. A proposal to hand it the room ends. */
export function deleteMember(tx: Transaction, roomId: string, agentId: string): void {
  tx.send(sql`DELETE FROM members WHERE room_id = ${roomId} AND agent_id = ${agentId}`);
  tx.send(sql`
    UPDATE rooms
    SET member_count = member_count - 1, proposed_owner_id = nullif(proposed_owner_id, ${agentId})
    WHERE id = ${roomId}
  `);
}

/** Records that a member was removed, so that it can return only with a later invitation. */
export const insertRemoval = (tx: Transaction, roomId: string, agentId: string, at: string): void =>
  tx.send(sql`
    INSERT INTO removals (room_id, agent_id, removed_at)
    VALUES (${roomId}, ${agentId}, ${at})
    ON CONFLICT (room_id, agent_id)
    DO UPDATE SET removed_at = excluded.removed_at, number = excluded.number, readmitted_at = NULL
  `);

/**
 * Records that a removed agent was readmitted. The removal is kept, because invitations that are
 * older than it must stay of no use to the agent.
 */
export const setReadmitted = (tx: Transaction, roomId: string, agentId: string, at: string): void =>
  tx.send(sql`
    UPDATE removals
    SET readmitted_at = ${at}
    WHERE room_id = ${roomId} AND agent_id = ${agentId} AND readmitted_at IS NULL
  `);
