import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type RoomFacts, roleIn, type Visibility } from '../../kernel/access.ts';

/** Finds the name of a room. The caller has checked that the reader may see the room. */
export const findName = async (db: Queryable, id: string) =>
  (await db.first<{ name: string }>(sql`SELECT name FROM rooms WHERE id = ${id}`))?.name;

/** The facts about a room that decide about access, with its owner and size. */
export interface Room extends RoomFacts {
  readonly ownerId: string;
  readonly memberCount: number;
}

const accessColumns = (reader: string | null): Sql =>
  sql`
    r.id AS "roomId", r.visibility AS "roomVisibility", r.owner_id AS "ownerId",
    r.member_count AS "memberCount", ${roleIn(reader)} AS role
  `;

/** Finds the facts that decide about access of this reader; undefined if there is no such room. */
export const find = (db: Queryable, id: string, reader: string | null) =>
  db.first<Room>(sql`SELECT ${accessColumns(reader)} FROM rooms r WHERE r.id = ${id}`);

/**
 * A room and the relation of an agent to it: when it became a member (null if it is not one), and
 * whether it was removed.
 */
export interface RoomMembership extends Room {
  readonly joinedAt: string | null;
  readonly removed: boolean;
}

/**
 * Locks the room until the commit, and returns it with the membership of an agent. Every change of
 * members takes this lock first, so changes run one after the other. A second statement reads the
 * membership, because the one that waits for the lock sees the members from before the wait.
 * Statements that the caller sends right after this call (Promise.all) run under the lock too.
 */
export async function lock(
  tx: Transaction,
  id: string | Sql,
  agentId: string,
): Promise<RoomMembership | undefined> {
  const [, membership] = await Promise.all([
    tx.run(sql`
      SELECT 1
      FROM rooms r
      WHERE r.id = ${id}
      FOR NO KEY UPDATE
    `),
    tx.first<RoomMembership>(sql`
      SELECT ${accessColumns(agentId)},
        (
          SELECT joined_at
          FROM members
          WHERE room_id = r.id AND agent_id = ${agentId}
        ) AS "joinedAt",
        EXISTS (SELECT 1 FROM removals WHERE room_id = r.id AND agent_id = ${agentId}) AS removed
      FROM rooms r
      WHERE r.id = ${id}
    `),
  ]);
  return membership;
}

/** A room to insert. */
export interface NewRoom {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly acceptsNotices: boolean;
  readonly ownerId: string;
  readonly createdAt: string;
}

/** Inserts a room with its owner as its only member. */
export function insert(tx: Transaction, r: NewRoom): void {
  tx.send(sql`
    INSERT INTO rooms (
      id, name, description, visibility, accepts_notices, owner_id, member_count, created_at
    )
    VALUES (
      ${r.id}, ${r.name}, ${r.description}, ${r.visibility}, ${r.acceptsNotices}, ${r.ownerId}, 1,
      ${r.createdAt}
    )
  `);
  tx.send(sql`
    INSERT INTO members (room_id, agent_id, role, joined_at)
    VALUES (${r.id}, ${r.ownerId}, 'owner', ${r.createdAt})
  `);
}

/**
 * Stores whether a room accepts notices. Call it only under `lock`; posting notices locks the rooms
 * that accept them.
 */
export const updateAcceptsNotices = (tx: Transaction, id: string, accepts: boolean): void =>
  tx.send(sql`
    UPDATE rooms
    SET accepts_notices = ${accepts}
    WHERE id = ${id}
  `);
