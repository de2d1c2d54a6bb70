import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { readableRoom, readableThread } from '../../kernel/access.ts';
import { reasonBits } from './rules.ts';

/** Gives a new agent its stream, empty. */
export const createStream = (tx: Transaction, agentId: string): void =>
  tx.send(sql`INSERT INTO event_heads (agent_id) VALUES (${agentId})`);

const findHeads = (agentIds: readonly string[]): Sql =>
  sql`SELECT q.nr, h.head FROM unnest(${agentIds}::uuid[]) WITH ORDINALITY AS q (agent_id, nr)
    CROSS JOIN LATERAL (SELECT head FROM event_heads WHERE agent_id = q.agent_id LIMIT 1) h`;

/** The number of an agent's newest event; 0 before the first. One probe of an index, with those of others who ask at the same time. */
export const head = async (db: Queryable, agentId: string): Promise<number> =>
  (await db.load<{ head: number }, string>(findHeads, agentId))[0]?.head ?? 0;

/** The newest numbers of several agents at once. */
export const heads = (db: Queryable, agentIds: readonly string[]) =>
  db.rows<{ agentId: string; head: number }>(
    sql`SELECT agent_id AS "agentId", head FROM event_heads WHERE agent_id = ANY(${agentIds}::uuid[])`,
  );

export interface EventRow {
  readonly head: number;
  readonly seq: number | null;
  readonly reasons: number;
  readonly visible: boolean;
  readonly roomId: string;
  readonly threadId: string | null;
  readonly threadTitle: string | null;
  readonly messageId: string | null;
  readonly position: number | null;
  readonly actorId: string;
  readonly actorHandle: string;
  readonly createdAt: string;
}

/** Whether a reader may see an event now, over aliases `e` (events), `r` (rooms), `m` (messages) and `t` (threads). */
const visibleTo = (
  reader: Sql | string,
): Sql => sql`CASE WHEN e.reasons & ${reasonBits.member_removed}::int > 0 THEN true
  WHEN e.message_id IS NULL THEN ${readableRoom(reader)} ELSE m.deleted_at IS NULL AND ${readableThread(reader)} END`;

/**
 * Up to `limit` events after the cursor and the stream's head, in one snapshot; one row with `seq` null when there are none.
 * `visible` is false for what the reader may not see any more: the cursor moves past it all the same.
 */
export const listAfter = (db: Queryable, agentId: string, cursor: number, limit: number) =>
  db.rows<EventRow>(sql`SELECT h.head, e.* FROM event_heads h LEFT JOIN LATERAL (
      SELECT e.seq, e.reasons, e.room_id AS "roomId", t.id AS "threadId", t.title AS "threadTitle", e.message_id AS "messageId", m.position,
        e.actor_id AS "actorId", a.handle AS "actorHandle", e.created_at AS "createdAt",
        ${visibleTo(agentId)} AS visible
      FROM events e JOIN rooms r ON r.id = e.room_id JOIN agents a ON a.id = e.actor_id
        LEFT JOIN messages m ON m.id = e.message_id LEFT JOIN threads t ON t.id = m.thread_id
      WHERE e.agent_id = h.agent_id AND e.seq > ${cursor} ORDER BY e.seq LIMIT ${limit}) e ON true
    WHERE h.agent_id = ${agentId} ORDER BY e.seq`);

/** Where a reader has got to. */
interface Position {
  readonly agentId: string;
  readonly cursor: number;
}

/** What several readers have in their streams: its end, and whether any event after the cursor may be seen by its reader now. The newest is looked at first. */
export const newsAfter = (db: Queryable, positions: readonly Position[]) =>
  db.rows<{
    agentId: string;
    head: number;
    visible: boolean;
  }>(sql`SELECT p.agent_id AS "agentId", h.head, v.seq IS NOT NULL AS visible
    FROM unnest(${positions.map(({ agentId }) => agentId)}::uuid[], ${positions.map(({ cursor }) => cursor)}::bigint[]) AS p (agent_id, cursor)
      CROSS JOIN LATERAL (SELECT head FROM event_heads WHERE agent_id = p.agent_id LIMIT 1) h
      LEFT JOIN LATERAL (SELECT e.seq FROM events e CROSS JOIN LATERAL (SELECT ${visibleTo(sql`p.agent_id`)} AS visible FROM rooms r
            LEFT JOIN messages m ON m.id = e.message_id LEFT JOIN threads t ON t.id = m.thread_id WHERE r.id = e.room_id LIMIT 1) now
        WHERE e.agent_id = p.agent_id AND e.seq > p.cursor AND e.seq <= h.head AND now.visible ORDER BY e.seq DESC LIMIT 1) v ON true`);

/** A message whose subscribers are told in the background, but for those in `served`. */
interface NewFanout {
  readonly threadId: string;
  readonly messageId: string;
  readonly served: readonly string[];
  readonly now: string;
}

/** The statement that leaves the subscribers of messages to the background, for the messages' own transaction. */
export function insertFanout(rows: readonly NewFanout[]): Sql {
  const column = <T>(read: (fanout: NewFanout) => T): T[] => rows.map(read);
  return sql`INSERT INTO event_fanouts (thread_id, message_id, served, created_at)
    SELECT f.thread_id, f.message_id, string_to_array(f.served, ' ')::uuid[], f.created_at
    FROM unnest(${column(({ threadId }) => threadId)}::uuid[], ${column(({ messageId }) => messageId)}::uuid[],
      ${column(({ served }) => served.join(' '))}::text[], ${column(({ now }) => now)}::timestamptz[]) AS f (thread_id, message_id, served, created_at)`;
}

interface Fanout {
  readonly id: number;
  readonly threadId: string;
  readonly roomId: string;
  readonly messageId: string;
  readonly authorId: string;
  readonly position: number;
  readonly createdAt: string;
  readonly served: string[];
  readonly afterAgent: string | null;
  readonly private: boolean;
}

/** The oldest message of some thread whose subscribers still have to be told, locked; messages of one thread are told in order. */
export const lockFanout = (tx: Transaction) =>
  tx.first<Fanout>(sql`SELECT f.id, f.thread_id AS "threadId", t.room_id AS "roomId", f.message_id AS "messageId", m.author_id AS "authorId", m.position,
      f.created_at AS "createdAt", f.served, f.after_agent AS "afterAgent", (r.visibility = 'private' OR t.visibility = 'private') AS private
    FROM event_fanouts f JOIN messages m ON m.id = f.message_id JOIN threads t ON t.id = f.thread_id JOIN rooms r ON r.id = t.room_id
    WHERE NOT EXISTS (SELECT 1 FROM event_fanouts earlier WHERE earlier.thread_id = f.thread_id AND earlier.id < f.id)
    ORDER BY f.id LIMIT 1 FOR UPDATE OF f SKIP LOCKED`);

/** The next subscribers of a fan-out, in id order. */
export const nextSubscribers = (tx: Transaction, fanout: Fanout, limit: number) =>
  tx.rows<{ agentId: string; told: boolean }>(sql`SELECT s.agent_id AS "agentId",
      (s.agent_id <> ${fanout.authorId} AND s.agent_id <> ALL(${fanout.served}::uuid[]) AND s.from_position <= ${fanout.position}::int
        AND (NOT ${fanout.private}::bool OR EXISTS (SELECT 1 FROM members m WHERE m.room_id = ${fanout.roomId} AND m.agent_id = s.agent_id))) AS told
    FROM subscriptions s WHERE s.thread_id = ${fanout.threadId} AND (${fanout.afterAgent}::uuid IS NULL OR s.agent_id > ${fanout.afterAgent}::uuid)
    ORDER BY s.agent_id LIMIT ${limit}`);

export const advanceFanout = (tx: Transaction, id: number, afterAgent: string): void =>
  tx.send(sql`UPDATE event_fanouts SET after_agent = ${afterAgent} WHERE id = ${id}`);

export const deleteFanout = (tx: Transaction, id: number): void =>
  tx.send(sql`DELETE FROM event_fanouts WHERE id = ${id}`);

/** Nobody who was not told yet is told of a message that is deleted. */
export const deleteFanoutsOfMessage = (tx: Transaction, messageId: string): void =>
  tx.send(sql`DELETE FROM event_fanouts
  WHERE message_id = ${messageId} AND thread_id = (SELECT thread_id FROM messages WHERE id = ${messageId})`);

export const deleteFanoutsOfThread = (tx: Transaction, threadId: string): void =>
  tx.send(sql`DELETE FROM event_fanouts WHERE thread_id = ${threadId}`);
