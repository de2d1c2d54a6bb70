import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import {
  readableRoom,
  roleIn,
  type Visibility,
  type WriteFacts,
  writeFacts,
} from '../../kernel/access.ts';
import type { RoomText } from './rules.ts';

/** Finds the name of a room. The caller has checked that the reader may see the room. */
export const findName = async (db: Queryable, id: string) =>
  (await db.first<{ name: string }>(sql`SELECT name FROM rooms WHERE id = ${id}`))?.name;

/** Returns the names of those of these rooms that the reader may see, by their ids. */
export async function loadNames(
  db: Queryable,
  ids: readonly string[],
  reader: string | null,
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(sql`
    SELECT r.id, r.name
    FROM rooms r
    WHERE r.id = ANY(${ids}::uuid[]) AND ${readableRoom(reader)}
  `);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The facts about a room that decide about access, with its owner and size. */
export interface Room extends WriteFacts {
  readonly ownerId: string;
  readonly memberCount: number;
  /** The member that the owner wants to hand the room to; null if there is none. */
  readonly proposedOwnerId: string | null;
}

const accessColumns = (reader: string | null): Sql =>
  sql`
    r.id AS "roomId", r.visibility AS "roomVisibility", r.owner_id AS "ownerId",
    r.member_count AS "memberCount", r.proposed_owner_id AS "proposedOwnerId",
    ${roleIn(reader)} AS role, ${writeFacts(reader)}
  `;

/** Finds the facts that decide about access of this reader; undefined if there is no such room. */
export const find = (db: Queryable, id: string, reader: string | null) =>
  db.first<Room>(sql`SELECT ${accessColumns(reader)} FROM rooms r WHERE r.id = ${id}`);

/**
 * A room and the relation of an agent to it: when it became a member (null if it is not one), and
 * the number of its last removal (null if it was never removed).
 */
export interface RoomMembership extends Room {
  readonly joinedAt: string | null;
  readonly removalNumber: number | null;
}

const selectMembership = (id: string, agentId: string | null): Sql => sql`
  SELECT ${accessColumns(agentId)},
    (
      SELECT joined_at
      FROM members
      WHERE room_id = r.id AND agent_id = ${agentId}
    ) AS "joinedAt",
    (
      SELECT number
      FROM removals
      WHERE room_id = r.id AND agent_id = ${agentId}
    ) AS "removalNumber"
  FROM rooms r
  WHERE r.id = ${id}
`;

/** Returns a room that is known to exist with the membership of an agent. */
export const getMembership = async (db: Queryable, id: string, agentId: string) =>
  (await db.first<RoomMembership>(selectMembership(id, agentId))) as RoomMembership;

async function lockIf(
  tx: Transaction,
  id: string,
  agentId: string | null,
  condition: Sql,
): Promise<RoomMembership | undefined> {
  const [locked, membership] = await Promise.all([
    tx.run(sql`
      SELECT 1
      FROM rooms r
      WHERE r.id = ${id} AND ${condition}
      FOR NO KEY UPDATE
    `),
    tx.first<RoomMembership>(selectMembership(id, agentId)),
  ]);
  return locked > 0 ? membership : undefined;
}

/**
 * Locks the room until the commit, and returns it with the membership of an agent. Every change of
 * members takes this lock first, so changes run one after the other. A second statement reads the
 * membership, because the one that waits for the lock sees the members from before the wait.
 * Statements that the caller sends right after this call (Promise.all) run under the lock too.
 * A room that the agent may not know of is neither found nor locked.
 */
export const lock = (tx: Transaction, id: string, agentId: string) =>
  lockIf(tx, id, agentId, readableRoom(agentId));

/**
 * Locks a room like `lock`, whoever may know of it: for an agent that an invitation admits, and for
 * administrators, who name the agent or nobody.
 */
export const lockAny = (tx: Transaction, id: string, agentId: string | null) =>
  lockIf(tx, id, agentId, sql`true`);

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

/** Returns what the owner of a room may change. The caller has found the room. */
export const getText = async (db: Queryable, id: string): Promise<RoomText> =>
  (await db.first<RoomText>(sql`
    SELECT name, description, archived_at AS "archivedAt"
    FROM rooms
    WHERE id = ${id}
  `)) as RoomText;

/** Replaces what `getText` returns. Call it only under `lock`. */
export const updateText = (tx: Transaction, id: string, room: RoomText): void =>
  tx.send(sql`
    UPDATE rooms
    SET name = ${room.name}, description = ${room.description}, archived_at = ${room.archivedAt}
    WHERE id = ${id}
  `);

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
