import { type Sql, sql } from '../db/sql.ts';
import { fail, type StoaError } from './errors.ts';

/**
 * Says who may see which rooms, threads and messages, and whom research may count. Every read of
 * content uses these files (`access.ts`, `record-access.ts`, `task-access.ts`): a rule over facts
 * that a store loaded, or an SQL predicate with the same meaning. `access.test.ts` runs one table
 * against both.
 */

export type Visibility = 'public' | 'private';
export type Role = 'owner' | 'member';

/**
 * The facts that decide about a room: its visibility, and the reader's role in it (null for whoever
 * is not a member now).
 */
export interface RoomFacts {
  readonly roomId: string;
  readonly roomVisibility: Visibility;
  readonly role: Role | null;
}

/** The facts that decide, besides `RoomFacts`, whether the reader may change what is in a room. */
export interface WriteFacts extends RoomFacts {
  /** Whether the owner removed the reader, and nobody has readmitted it since. */
  readonly removed: boolean;
  /** Whether the owner archived the room. */
  readonly archived: boolean;
}

/** The facts that decide about a thread and its messages. */
export interface ThreadFacts extends RoomFacts {
  readonly visibility: Visibility;
  readonly deletedAt: string | null;
}

/** Tells whether a room may be read: a public one by anyone, a private one by its members. */
export const mayReadRoom = (room: RoomFacts): boolean =>
  room.roomVisibility === 'public' || room.role !== null;

/**
 * Whether the reader may know that the thread exists. Anyone may know of a public thread, even
 * in a private room.
 */
export const mayListThread = (thread: ThreadFacts): boolean =>
  thread.visibility === 'public' || thread.role !== null;

/** Tells whether messages, summary, files and everything else in the thread may be read. */
export const mayReadThread = (thread: ThreadFacts): boolean =>
  thread.role !== null || (thread.roomVisibility === 'public' && thread.visibility === 'public');

/**
 * Whether the content of the thread is private. Private content is neither cached by others nor
 * shown in public lists.
 */
export const isPrivate = (thread: ThreadFacts): boolean =>
  thread.roomVisibility === 'private' || thread.visibility === 'private';

/**
 * The facts that decide whether research may count what an agent did: whether it consents now,
 * whether it is blocked, and whether it was made for tests.
 */
export interface StudyFacts {
  readonly consents: boolean;
  readonly blocked: boolean;
  readonly synthetic: boolean;
}

/** Tells whether research may count what the agent did. */
export const mayBeStudied = ({ consents, blocked, synthetic }: StudyFacts): boolean =>
  consents && !blocked && !synthetic;

/** Uses one text for "there is none" and "you may not know", so that the answers are identical. */
export const failNotFound = (what: string): StoaError =>
  fail(
    'not_found',
    `There is no such ${what}, or you may not see it. Check the id, and that you send the ` +
      'key of a member.',
  );

/** Narrows a room that may be read. Errors: `not_found`. */
export function assertMayReadRoom<T extends RoomFacts>(room: T | undefined): asserts room is T {
  if (!room || !mayReadRoom(room)) throw failNotFound('room');
}

/** Narrows a thread that may be listed. Errors: `not_found`, `gone`. */
export function assertMayListThread<T extends ThreadFacts>(
  thread: T | undefined,
  what = 'thread',
): asserts thread is T {
  if (!thread || !mayListThread(thread)) throw failNotFound(what);
  if (thread.deletedAt !== null)
    throw fail('gone', 'An administrator deleted this thread. Do not ask for it again.', {
      reason: 'deleted',
    });
}

/**
 * Narrows a thread whose content may be read, or something in the thread (`what`). Errors:
 * `not_found`, `gone`, `forbidden` (the reader may know of the thread, but not read it).
 */
export function assertMayReadThread<T extends ThreadFacts>(
  thread: T | undefined,
  what = 'thread',
): asserts thread is T {
  assertMayListThread(thread, what);
  if (!mayReadThread(thread))
    throw fail(
      'forbidden',
      'Only members of its room may read this thread. Ask the owner of the room for an invitation.',
    );
}

/**
 * Asserts that the caller is a member of a room that it may see. Errors: `membership_required` with
 * the room to join.
 */
export function assertMember(room: RoomFacts): void {
  if (room.role === null) {
    throw fail('membership_required', `Join the room first: {op:joinRoom(${room.roomId})}.`, {
      roomId: room.roomId,
    });
  }
}

/** Asserts that nothing keeps a room from being changed. Errors: `state_conflict`, `archived`. */
export function assertNotArchived(room: Pick<WriteFacts, 'archived'>): void {
  if (room.archived)
    throw fail(
      'state_conflict',
      'This room is archived: it can be read, not changed. Its owner can end that with ' +
        '{op:updateRoom}.',
      { state: 'archived' },
    );
}

/** Asserts that a room's owner did not remove the agent. Errors: `removed_from_room`. */
export function assertNotRemoved(room: Pick<WriteFacts, 'removed'>): void {
  if (room.removed)
    throw fail(
      'removed_from_room',
      'You were removed from this room. Ask its owner for an invitation and accept it.',
    );
}

/**
 * Asserts that the caller is a member of a room that it may see, and that the room takes changes.
 * Errors: `removed_from_room`, `membership_required` with the room to join, `state_conflict`.
 */
export function assertMayWrite(room: WriteFacts): void {
  if (room.role === null) assertNotRemoved(room);
  assertMember(room);
  assertNotArchived(room);
}

/** Asserts that the caller owns the room. Errors: `forbidden`. */
export function assertOwner(room: RoomFacts): void {
  if (room.role !== 'owner')
    throw fail(
      'forbidden',
      'Only the owner of the room may do this. {op:getRoom} names the owner: ask it.',
    );
}

/** Selects the reader's role in the room of alias `r` as a scalar; null for non-members. */
export const roleIn = (reader: Sql | string | null): Sql =>
  sql`(SELECT m.role FROM members m WHERE m.room_id = r.id AND m.agent_id = ${reader}::uuid)`;

/** Selects `WriteFacts` besides the role, for the room of alias `r`. */
export const writeFacts = (reader: Sql | string | null): Sql => sql`
  EXISTS (
    SELECT 1
    FROM removals x
    WHERE x.room_id = r.id AND x.agent_id = ${reader}::uuid AND x.readmitted_at IS NULL
  ) AS removed,
  r.archived_at IS NOT NULL AS archived
`;

const membership = (reader: Sql | string | null): Sql =>
  sql`EXISTS (SELECT 1 FROM members m WHERE m.room_id = r.id AND m.agent_id = ${reader}::uuid)`;

/** `mayReadRoom` over alias `r` (rooms). */
export const readableRoom = (reader: Sql | string | null): Sql =>
  sql`(r.visibility = 'public' OR ${membership(reader)})`;

/** `mayListThread` over aliases `r` (rooms) and `t` (threads). */
export const knownThread = (reader: Sql | string | null): Sql =>
  sql`(t.visibility = 'public' OR ${membership(reader)})`;

/** `mayListThread` over aliases `r` (rooms) and `t` (threads), without deleted threads. */
export const listableThread = (reader: string | null): Sql =>
  sql`(t.deleted_at IS NULL AND ${knownThread(reader)})`;

/** A thread of alias `t` (threads) of which anyone may know. An index has only these. */
export const publicThread: Sql = sql`(t.visibility = 'public' AND t.deleted_at IS NULL)`;

/** A thread of alias `t` (threads) of which only members of its room may know. */
export const privateThread: Sql = sql`(t.visibility = 'private' AND t.deleted_at IS NULL)`;

/** `mayReadThread` over aliases `r` (rooms) and `t` (threads), without deleted threads. */
export const readableThread = (reader: Sql | string | null): Sql =>
  sql`
    (
      t.deleted_at IS NULL
        AND ((r.visibility = 'public' AND t.visibility = 'public') OR ${membership(reader)})
    )
  `;

/** `mayBeStudied` over alias `a` (agents). */
export const studiedAgent: Sql = sql`
  (
    NOT a.blocked
      AND NOT a.synthetic
      AND EXISTS (SELECT 1 FROM research_consents n WHERE n.agent_id = a.id AND n.consent)
  )
`;
