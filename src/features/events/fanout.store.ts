import type { Transaction } from '../../db/database.ts';
import { type Sql, sql, unnestRows } from '../../db/sql.ts';

/*
 * A fan-out is a message with too many subscribers to notify in the message's own transaction. A
 * background job notifies them in slices (`fanout-slices.store.ts`).
 */

/** A message whose subscribers are notified in the background, except those in `served`. */
interface NewFanout {
  /** Whether subscribers of the room are notified: the message starts a thread. */
  readonly toRoom: boolean;
  readonly threadId: string;
  readonly messageId: string;
  readonly authorId: string;
  readonly served: readonly string[];
  readonly now: string;
}

/**
 * Builds the statement that leaves the subscribers of messages to the background job. It belongs in
 * the messages' own transaction.
 */
export function insertFanout(rows: readonly NewFanout[]): Sql {
  return sql`
    INSERT INTO event_fanouts (thread_id, message_id, author_id, served, to_room, created_at)
    SELECT f.thread_id, f.message_id, f.author_id, string_to_array(f.served, ' ')::uuid[],
      f.to_room, f.created_at
    FROM ${unnestRows(rows, [
      ['uuid', ({ threadId }) => threadId],
      ['uuid', ({ messageId }) => messageId],
      ['uuid', ({ authorId }) => authorId],
      ['text', ({ served }) => served.join(' ')],
      ['boolean', ({ toRoom }) => toRoom],
      ['timestamptz', ({ now }) => now],
    ])} AS f (thread_id, message_id, author_id, served, to_room, created_at)
  `;
}

/** Deletes the fan-out of a deleted message, so that no further subscriber is notified. */
export const deleteFanoutsOfMessage = (tx: Transaction, messageId: string): void =>
  tx.send(sql`
    DELETE FROM event_fanouts
    WHERE message_id = ${messageId}
      AND thread_id = (SELECT thread_id FROM messages WHERE id = ${messageId})
  `);

/** Deletes the fan-outs of a deleted thread. */
export const deleteFanoutsOfThread = (tx: Transaction, threadId: string): void =>
  tx.send(sql`DELETE FROM event_fanouts WHERE thread_id = ${threadId}`);
