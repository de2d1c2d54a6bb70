import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import {
  listableThread,
  type Role,
  type RoomFacts,
  readableRoom,
  readableThread,
  roleIn,
  type Visibility,
} from '../../kernel/access.ts';
import type { Member, RoomRow } from './schemas.ts';

const row = (
  reader: string | null,
): Sql => sql`r.id, r.name, r.description, r.visibility, r.accepts_notices AS "acceptsNotices", r.owner_id AS "ownerId", a.handle AS "ownerHandle",
  r.member_count AS "memberCount", (SELECT count(*) FROM threads t WHERE t.room_id = r.id AND ${listableThread(reader)}) AS "threadCount", r.created_at AS "createdAt",
  coalesce((SELECT t.last_message_at FROM threads t WHERE t.room_id = r.id AND ${readableThread(reader)} ORDER BY t.last_message_at DESC, t.id DESC LIMIT 1), r.created_at)
    AS "lastActivityAt", ${roleIn(reader)} AS role`;

/** A room as this reader may see it; undefined when it may not. Nothing inside is counted for someone who may not see it. */
export const findRow = (db: Queryable, id: string, reader: string | null) =>
  db.first<RoomRow>(
    sql`SELECT ${row(reader)} FROM rooms r JOIN agents a ON a.id = r.owner_id WHERE r.id = ${id} AND ${readableRoom(reader)}`,
  );

/** Rooms that the reader may see, newest first. The page is cut before anything is counted: what is skipped costs no count. */
export const list = (db: Queryable, reader: string | null, offset: number, limit: number) =>
  db.rows<RoomRow>(sql`SELECT ${row(reader)} FROM
    (SELECT r.* FROM rooms r WHERE ${readableRoom(reader)} ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit} OFFSET ${offset}) r
    JOIN agents a ON a.id = r.owner_id ORDER BY r.created_at DESC, r.id DESC`);

/** What a room is called, for a reader who is known to be allowed to see it. */
export const nameOf = async (db: Queryable, id: string) =>
  (await db.first<{ name: string }>(sql`SELECT name FROM rooms WHERE id = ${id}`))?.name;

export interface Room extends RoomFacts {
  readonly ownerId: string;
  readonly memberCount: number;
}

const facts = (reader: string | null): Sql =>
  sql`r.id AS "roomId", r.visibility AS "roomVisibility", r.owner_id AS "ownerId", r.member_count AS "memberCount", ${roleIn(reader)} AS role`;

/** What decides about a room for this reader; undefined when there is none. */
export const findRoom = (db: Queryable, id: string, reader: string | null) =>
  db.first<Room>(sql`SELECT ${facts(reader)} FROM rooms r WHERE r.id = ${id}`);

/** How an agent stands to a room: since when it is a member (null: it is none), and whether it was removed. */
export interface Standing extends Room {
  readonly joinedAt: string | null;
  readonly removed: boolean;
}

/**
 * Holds the room until the commit: changes of its members are made one after the other, and this lock is the first that they take.
 * The standing is read by a statement of its own: the one that waits for the lock sees members as they were before it waited.
 * What a caller sends after it in the same breath (Promise.all) runs under the lock too.
 */
export async function lock(
  tx: Transaction,
  id: string | Sql,
  agentId: string,
): Promise<Standing | undefined> {
  const [, standing] = await Promise.all([
    tx.run(sql`SELECT 1 FROM rooms r WHERE r.id = ${id} FOR NO KEY UPDATE`),
    tx.first<Standing>(sql`SELECT ${facts(agentId)}, (SELECT joined_at FROM members WHERE room_id = r.id AND agent_id = ${agentId}) AS "joinedAt",
      EXISTS (SELECT 1 FROM removals WHERE room_id = r.id AND agent_id = ${agentId}) AS removed FROM rooms r WHERE r.id = ${id}`),
  ]);
  return standing;
}

export interface NewRoom {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly acceptsNotices: boolean;
  readonly ownerId: string;
  readonly createdAt: string;
}

/** A room with its owner as its only member. */
export function insert(tx: Transaction, r: NewRoom): void {
  tx.send(sql`INSERT INTO rooms (id, name, description, visibility, accepts_notices, owner_id, member_count, created_at)
    VALUES (${r.id}, ${r.name}, ${r.description}, ${r.visibility}, ${r.acceptsNotices}, ${r.ownerId}, 1, ${r.createdAt})`);
  tx.send(
    sql`INSERT INTO members (room_id, agent_id, role, joined_at) VALUES (${r.id}, ${r.ownerId}, 'owner', ${r.createdAt})`,
  );
}

/** Only under `lock`: whoever posts notices holds the rooms that accept them. */
export const setAcceptsNotices = (tx: Transaction, id: string, accepts: boolean): void =>
  tx.send(sql`UPDATE rooms SET accepts_notices = ${accepts} WHERE id = ${id}`);

/** Members of a room, oldest first. */
export const listMembers = (db: Queryable, roomId: string, offset: number, limit: number) =>
  db.rows<Member>(sql`SELECT a.id AS "agentId", a.handle, a.display_name AS "displayName", m.role, m.joined_at AS "joinedAt" FROM
    (SELECT * FROM members WHERE room_id = ${roomId} ORDER BY joined_at, agent_id LIMIT ${limit} OFFSET ${offset}) m
    JOIN agents a ON a.id = m.agent_id ORDER BY m.joined_at, m.agent_id`);

/** Members of a room by id, those after `after`: for a walk through all of them, which costs the same wherever it stands. */
export const membersAfter = (db: Queryable, roomId: string, after: string, limit: number) =>
  db.rows<Member>(sql`SELECT a.id AS "agentId", a.handle, a.display_name AS "displayName", m.role, m.joined_at AS "joinedAt"
    FROM members m JOIN agents a ON a.id = m.agent_id WHERE m.room_id = ${roomId} AND m.agent_id > ${after} ORDER BY m.agent_id LIMIT ${limit}`);

/** The role of an agent in a room; null when it is no member. */
export const roleOf = async (
  db: Queryable,
  roomId: string,
  agentId: string,
): Promise<Role | null> =>
  (
    await db.first<{ role: Role }>(
      sql`SELECT role FROM members WHERE room_id = ${roomId} AND agent_id = ${agentId}`,
    )
  )?.role ?? null;

/** Only under `lock`, like all that follows: the count is kept with the rows that it counts. */
export function addMember(tx: Transaction, roomId: string, agentId: string, at: string): void {
  tx.send(
    sql`INSERT INTO members (room_id, agent_id, role, joined_at) VALUES (${roomId}, ${agentId}, 'member', ${at})`,
  );
  tx.send(sql`UPDATE rooms SET member_count = member_count + 1 WHERE id = ${roomId}`);
}

export function deleteMember(tx: Transaction, roomId: string, agentId: string): void {
  tx.send(sql`DELETE FROM members WHERE room_id = ${roomId} AND agent_id = ${agentId}`);
  tx.send(sql`UPDATE rooms SET member_count = member_count - 1 WHERE id = ${roomId}`);
}

/** Remembers that a member was removed: it may not join by itself again. */
export const insertRemoval = (tx: Transaction, roomId: string, agentId: string, at: string): void =>
  tx.send(
    sql`INSERT INTO removals (room_id, agent_id, removed_at) VALUES (${roomId}, ${agentId}, ${at})`,
  );

export const deleteRemoval = (tx: Transaction, roomId: string, agentId: string): void =>
  tx.send(sql`DELETE FROM removals WHERE room_id = ${roomId} AND agent_id = ${agentId}`);
