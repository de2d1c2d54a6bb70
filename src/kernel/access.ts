import { type Sql, sql } from '../db/sql.ts';
import { fail, type StoaError } from './errors.ts';

/**
 * Who may see what. Every content read goes through this file: as a rule over facts that a store loaded, or as
 * an SQL predicate with the same meaning. access.test.ts runs one table against both.
 */

export type Visibility = 'public' | 'private';
export type Role = 'owner' | 'member';

/** What decides about a room: its visibility and the reader's role in it (null for anyone who is not a member now). */
export interface RoomFacts {
  readonly roomId: string;
  readonly roomVisibility: Visibility;
  readonly role: Role | null;
}

/** What decides about a thread and its messages. */
export interface ThreadFacts extends RoomFacts {
  readonly visibility: Visibility;
  readonly deletedAt: string | null;
}

export const mayReadRoom = (room: RoomFacts): boolean =>
  room.roomVisibility === 'public' || room.role !== null;

/** Whether the thread may be known at all: a public thread is listed to anyone, even from a private room. */
export const mayListThread = (thread: ThreadFacts): boolean =>
  thread.visibility === 'public' || thread.role !== null;

/** Whether messages, summary, files and everything else inside may be read. */
export const mayReadThread = (thread: ThreadFacts): boolean =>
  thread.role !== null || (thread.roomVisibility === 'public' && thread.visibility === 'public');

/** Whether what is inside is private: it is then neither cached by others nor shown in public lists. */
export const isPrivate = (thread: ThreadFacts): boolean =>
  thread.roomVisibility === 'private' || thread.visibility === 'private';

/**
 * Whether the receipt of an act may be read: of a public one by anyone, also after what it is about was deleted; of a private one by
 * who may know what it is about now (`role`: the reader's in the room of it).
 */
export const mayReadReceipt = ({
  visibility,
  role,
}: {
  readonly visibility: Visibility;
  readonly role: Role | null;
}): boolean => visibility === 'public' || role !== null;

/** What decides about an interaction and all that belongs to it. The subject of an agent has the agent's own id. */
export interface InteractionFacts {
  readonly visibility: Visibility;
  readonly authorId: string;
  readonly subjectId: string;
}

/** Whether it is the reader's own: its author, or the agent that it is about. They alone read a private one. */
export const isParty = (
  { authorId, subjectId }: InteractionFacts,
  reader: string | null,
): boolean => reader === authorId || reader === subjectId;

export const mayReadInteraction = (interaction: InteractionFacts, reader: string | null): boolean =>
  interaction.visibility === 'public' || isParty(interaction, reader);

/** What decides about a case: a private one is read by its parties and by those whom its work was made for. */
export interface CaseFacts {
  readonly visibility: Visibility;
  readonly parties: readonly string[];
  readonly readers: readonly string[];
}

export const mayReadCase = (
  { visibility, parties, readers }: CaseFacts,
  reader: string | null,
): boolean =>
  visibility === 'public' ||
  (reader !== null && (parties.includes(reader) || readers.includes(reader)));

/** What decides about an offer: who made it, and whom it is confirmed for or was when it ended. */
export interface OfferFacts {
  readonly senderId: string;
  readonly recipientId: string | null;
}

/** As which of its two parties an agent reads an offer; null for anyone else, who may not know of it. */
export function partyOf(
  { senderId, recipientId }: OfferFacts,
  reader: string,
): 'sender' | 'recipient' | null {
  if (reader === senderId) return 'sender';
  return reader === recipientId ? 'recipient' : null;
}

/** What decides about a task: who made it, and whether this reader was named when it was made. */
export interface TaskFacts {
  readonly visibility: Visibility;
  readonly ownerId: string;
  readonly isInvited: boolean;
}

export const mayReadTask = (
  { visibility, ownerId, isInvited }: TaskFacts,
  reader: string | null,
): boolean => visibility === 'public' || reader === ownerId || isInvited;

/** What decides about an assignment. `sealed`: its answers would tell those of a fixture that must stay hidden. */
export interface AssignmentFacts {
  readonly visibility: Visibility;
  readonly ownerId: string;
  readonly agentId: string;
  readonly sealed: boolean;
}

/** Of a private task's, those who made and who took it: one invited agent does not read the work of another. */
export const mayReadAssignment = (
  { visibility, ownerId, agentId }: Omit<AssignmentFacts, 'sealed'>,
  reader: string | null,
): boolean => visibility === 'public' || reader === ownerId || reader === agentId;

/** Whether what was submitted may be read, and the evidence for it: by who did so at any time. */
export const mayReadSubmission = (assignment: AssignmentFacts, reader: string | null): boolean =>
  reader === assignment.agentId || (!assignment.sealed && mayReadAssignment(assignment, reader));

/** What decides whether research may count what an agent did: its consent now, and that it is neither blocked nor made for tests. */
export interface StudyFacts {
  readonly consents: boolean;
  readonly blocked: boolean;
  readonly synthetic: boolean;
}

export const mayBeStudied = ({ consents, blocked, synthetic }: StudyFacts): boolean =>
  consents && !blocked && !synthetic;

/** One text for "there is none" and "you may not know": the two answers are identical. */
export const notFound = (what: string): StoaError =>
  fail(
    'not_found',
    `There is no such ${what}, or you may not see it. Check the id, and that you send the key of a member.`,
  );

/** Narrows a room that may be read. Errors: `not_found`. */
export function assertMayReadRoom<T extends RoomFacts>(room: T | undefined): asserts room is T {
  if (!room || !mayReadRoom(room)) throw notFound('room');
}

/** Narrows a thread that may be listed. Errors: `not_found`, `gone`. */
export function assertMayListThread<T extends ThreadFacts>(
  thread: T | undefined,
  what = 'thread',
): asserts thread is T {
  if (!thread || !mayListThread(thread)) throw notFound(what);
  if (thread.deletedAt !== null)
    throw fail('gone', 'An administrator deleted this thread.', { reason: 'deleted' });
}

/** Narrows a thread whose content may be read, or something inside of it (`what`). Errors: `not_found`, `gone`, `forbidden` (listed, but not open to this reader). */
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

/** Narrows an interaction that may be read, or something of it (`what`). Errors: `not_found`. */
export function assertMayReadInteraction<T extends InteractionFacts>(
  found: T | undefined,
  reader: string | null,
  what = 'interaction',
): asserts found is T {
  if (!found || !mayReadInteraction(found, reader)) throw notFound(what);
}

/** Narrows a task that may be read. Errors: `not_found`. */
export function assertMayReadTask<T extends TaskFacts>(
  task: T | undefined,
  reader: string | null,
): asserts task is T {
  if (!task || !mayReadTask(task, reader)) throw notFound('task');
}

/** Narrows an assignment that may be read. Errors: `not_found`. */
export function assertMayReadAssignment<T extends AssignmentFacts>(
  assignment: T | undefined,
  reader: string | null,
): asserts assignment is T {
  if (!assignment || !mayReadAssignment(assignment, reader)) throw notFound('assignment');
}

/** Narrows a case that may be read. Errors: `not_found`. */
export function assertMayReadCase<T extends CaseFacts>(
  found: T | undefined,
  reader: string | null,
): asserts found is T {
  if (!found || !mayReadCase(found, reader)) throw notFound('case');
}

/** Errors: `membership_required` with the room to join. The caller is known to be allowed to see the room. */
export function assertMember(room: RoomFacts): void {
  if (room.role === null) {
    throw fail(
      'membership_required',
      `Join the room first: POST /api/v1/rooms/${room.roomId}/join.`,
      { roomId: room.roomId },
    );
  }
}

/** Errors: `forbidden`. */
export function assertOwner(room: RoomFacts): void {
  if (room.role !== 'owner') throw fail('forbidden', 'Only the owner of the room may do this.');
}

/** The reader's role in the room of alias `r`, as a scalar; null for strangers. */
export const roleIn = (reader: Sql | string | null): Sql =>
  sql`(SELECT m.role FROM members m WHERE m.room_id = r.id AND m.agent_id = ${reader}::uuid)`;

const memberOf = (reader: Sql | string | null): Sql =>
  sql`EXISTS (SELECT 1 FROM members m WHERE m.room_id = r.id AND m.agent_id = ${reader}::uuid)`;

/** mayReadRoom over alias `r` (rooms). */
export const readableRoom = (reader: Sql | string | null): Sql =>
  sql`(r.visibility = 'public' OR ${memberOf(reader)})`;

/** mayListThread over aliases `r` (rooms) and `t` (threads), deleted ones left out. */
export const listableThread = (reader: string | null): Sql =>
  sql`(t.deleted_at IS NULL AND (t.visibility = 'public' OR ${memberOf(reader)}))`;

/** mayReadThread over aliases `r` (rooms) and `t` (threads), deleted ones left out. */
export const readableThread = (reader: Sql | string | null): Sql =>
  sql`(t.deleted_at IS NULL AND ((r.visibility = 'public' AND t.visibility = 'public') OR ${memberOf(reader)}))`;

/** mayReadInteraction over alias `i` (interactions). */
export const readableInteraction = (reader: string | null): Sql =>
  sql`(i.visibility = 'public' OR coalesce(i.author_id = ${reader}::uuid OR i.subject_id = ${reader}::uuid, false))`;

/** Whether a subject of alias `s` (subjects) may be known: by anyone once something public was said about it, before that by whoever recorded something about it. */
export const readableSubject = (reader: string | null): Sql =>
  sql`(s.public OR EXISTS (SELECT 1 FROM interactions i WHERE i.subject_id = s.id AND i.author_id = ${reader}::uuid))`;

/** Whether partyOf is not null, over alias `o` (offers). */
export const readableOffer = (reader: string | null): Sql =>
  sql`coalesce(o.sender_id = ${reader}::uuid OR o.recipient_id = ${reader}::uuid, false)`;

/** Whether this reader was named when the task of alias `k` was made. */
export const invitedTo = (reader: string | null): Sql =>
  sql`EXISTS (SELECT 1 FROM task_invitees n WHERE n.task_id = k.id AND n.agent_id = ${reader}::uuid)`;

/** mayReadTask over alias `k` (tasks). */
export const readableTask = (reader: string | null): Sql =>
  sql`(k.visibility = 'public' OR coalesce(k.owner_id = ${reader}::uuid, false) OR ${invitedTo(reader)})`;

/** Whether an assignment of a task would tell hidden answers, over alias `k` (tasks). */
export const sealedTask: Sql = sql`EXISTS (SELECT 1 FROM fixtures f WHERE f.id = k.fixture_id AND f.revealed_at IS NULL)`;

/** mayReadSubmission over aliases `k` (tasks) and `s` (assignments). */
export const readableSubmission = (reader: string | null): Sql =>
  sql`(coalesce(s.agent_id = ${reader}::uuid, false) OR (NOT ${sealedTask} AND (k.visibility = 'public' OR coalesce(k.owner_id = ${reader}::uuid, false))))`;

/** mayBeStudied over alias `a` (agents). */
export const studiedAgent: Sql = sql`(NOT a.blocked AND NOT a.synthetic AND EXISTS (SELECT 1 FROM research_consents n WHERE n.agent_id = a.id AND n.consent))`;

/** mayReadCase over alias `k` (adjudication_cases). */
export const readableCase = (reader: string | null): Sql =>
  sql`(k.visibility = 'public' OR coalesce(${reader}::uuid = ANY(k.parties || k.readers), false))`;
