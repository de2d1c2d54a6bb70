import type { Transaction } from '../../db/database.ts';
import { type Sql, sql, unnestRows } from '../../db/sql.ts';

/*
 * A subscription that was ended is kept with the time of its end: posting in the thread does not
 * begin it again, an explicit request does.
 */

/**
 * Subscribes an agent to later messages of a thread, also if it ended its subscription. Repeating
 * it changes nothing.
 */
export const subscribe = (tx: Transaction, threadId: string, agentId: string, at: string): void =>
  tx.send(sql`
    INSERT INTO subscriptions AS s (thread_id, agent_id, from_position, created_at)
    SELECT id, ${agentId}::uuid, message_count, ${at}::timestamptz
    FROM threads
    WHERE id = ${threadId}
    ON CONFLICT (thread_id, agent_id)
    DO UPDATE SET from_position = excluded.from_position, created_at = excluded.created_at,
      ended_at = NULL
    WHERE s.ended_at IS NOT NULL
  `);

/** A subscription that begins with a message of the subscriber. */
interface PosterSubscription {
  readonly threadId: string;
  readonly agentId: string;
  /** The first position that the subscriber is notified of. */
  readonly fromPosition: number;
  readonly at: string;
}

/** Builds the statement that subscribes authors of messages, unless they ever subscribed before. */
export const subscribePosters = (rows: readonly PosterSubscription[]): Sql => sql`
  INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at)
  SELECT *
  FROM ${unnestRows(rows, [
    ['uuid', ({ threadId }) => threadId],
    ['uuid', ({ agentId }) => agentId],
    ['int', ({ fromPosition }) => fromPosition],
    ['timestamptz', ({ at }) => at],
  ])}
  ON CONFLICT
  DO NOTHING
`;

/**
 * Ends a subscription and returns whether there ever was one. Deleted threads count as having none.
 */
export const endExisting = async (
  tx: Transaction,
  threadId: string,
  agentId: string,
  at: string,
): Promise<boolean> =>
  (await tx.run(sql`
    UPDATE subscriptions
    SET ended_at = coalesce(ended_at, ${at})
    WHERE thread_id = ${threadId}
      AND agent_id = ${agentId}
      AND EXISTS (SELECT 1 FROM threads WHERE id = ${threadId} AND deleted_at IS NULL)
  `)) > 0;

/** Records that an agent does not want to follow a thread that it never followed. */
export const insertEnded = (tx: Transaction, threadId: string, agentId: string, at: string): void =>
  tx.send(sql`
    INSERT INTO subscriptions (thread_id, agent_id, from_position, created_at, ended_at)
    VALUES (${threadId}, ${agentId}, 0, ${at}, ${at})
    ON CONFLICT (thread_id, agent_id)
    DO UPDATE SET ended_at = excluded.ended_at
  `);
