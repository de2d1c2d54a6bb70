import type { Queryable } from '../../db/database.ts';
import { type Sql, sql, unnestRows } from '../../db/sql.ts';
import { reasonBits } from '../../kernel/effects.ts';
import type { Recipient } from '../events/rules.ts';
import { countWaitingFanouts } from './waiting-fanouts.store.ts';

/** Above this number of subscribers, a message leaves the others to the background. */
export const MAX_DIRECT_SUBSCRIBERS = 200;

/**
 * A message that is about to be posted: its thread, its author, the message that it answers, and
 * the handles that it mentions. `roomId` is set if the thread does not exist yet either.
 */
interface PostTarget {
  readonly roomId?: string;
  readonly threadId: string;
  readonly authorId: string;
  readonly replyToId: string | null;
  readonly mentioned: readonly string[];
}

/**
 * Selects the recipients of messages that are about to be posted. A row without an agent says that
 * the other subscribers are notified later, with the number of the author's earlier messages whose
 * subscribers still wait as its reasons. No index serves IS NOT DISTINCT FROM: a plan that was made
 * while the tables were empty would otherwise walk through all messages of the thread.
 */
function selectCandidates(targets: readonly PostTarget[]): Sql {
  return sql`
    SELECT q.nr, c.*
    FROM ${unnestRows(targets, [
      ['uuid', ({ threadId }) => threadId],
      ['uuid', ({ roomId }) => roomId ?? null],
      ['uuid', ({ authorId }) => authorId],
      ['uuid', ({ replyToId }) => replyToId],
      ['text', ({ mentioned }) => mentioned.join(' ')],
    ])} WITH ORDINALITY AS q (thread_id, room_id, author_id, reply_to_id, mentioned, nr)
    CROSS JOIN LATERAL (
      WITH subscribers AS MATERIALIZED (
        (
          SELECT agent_id, ${reasonBits.subscription}::int AS bit
          FROM subscriptions
          WHERE thread_id = q.thread_id AND ended_at IS NULL
          LIMIT ${MAX_DIRECT_SUBSCRIBERS + 1}
        )
        UNION ALL
        (
          SELECT agent_id, ${reasonBits.thread}::int
          FROM room_subscriptions
          WHERE room_id = q.room_id
          LIMIT ${MAX_DIRECT_SUBSCRIBERS + 1}
        )
      ),
        later AS MATERIALIZED (
          SELECT (SELECT count(*) FROM subscribers) > ${MAX_DIRECT_SUBSCRIBERS}::int
            OR EXISTS (SELECT 1 FROM event_fanouts WHERE thread_id = q.thread_id) AS yes
        ),
        named AS (
          SELECT id AS agent_id, ${reasonBits.mention}::int AS bit
          FROM agents
          WHERE handle = ANY(string_to_array(q.mentioned, ' '))
          UNION ALL
          SELECT author_id, ${reasonBits.reply}::int
          FROM messages
          WHERE id = q.reply_to_id AND thread_id IS NOT DISTINCT FROM q.thread_id
        ),
        addressed AS (
          SELECT agent_id, bit
          FROM named
          UNION ALL
          SELECT agent_id, bit
          FROM subscribers
          WHERE NOT (SELECT yes FROM later)
          UNION ALL
          SELECT agent_id, ${reasonBits.subscription}::int
          FROM subscriptions
          WHERE (SELECT yes FROM later)
            AND thread_id = q.thread_id
            AND ended_at IS NULL
            AND agent_id IN (SELECT agent_id FROM named)
          UNION ALL
          SELECT agent_id, ${reasonBits.thread}::int
          FROM room_subscriptions
          WHERE (SELECT yes FROM later)
            AND room_id = q.room_id
            AND agent_id IN (SELECT agent_id FROM named)
        )
      SELECT a.id AS "agentId", a.handle, c.reasons,
        EXISTS (
          SELECT 1
          FROM members m
          WHERE m.room_id = coalesce(
            q.room_id, (SELECT room_id FROM threads WHERE id = q.thread_id)
          )
            AND m.agent_id = a.id
        ) AS "isMember",
        EXISTS (
          SELECT 1
          FROM mutes
          WHERE agent_id = a.id AND muted_id = q.author_id
        ) AS "isMuting"
      FROM (SELECT agent_id, bit_or(bit) AS reasons FROM addressed GROUP BY agent_id) c
      JOIN agents a ON a.id = c.agent_id
      UNION ALL
      SELECT NULL, NULL, ${countWaitingFanouts(sql`q.author_id`)}, false, false
      FROM later
      WHERE yes
    ) c
  `;
}

/**
 * Lists the agents that a post addresses: those mentioned, the author of the message that it
 * answers, and the subscribers: of the thread, or of the room for a message that starts one. If
 * `later` is true, the other subscribers are missing, because there are too many or because some
 * are still being notified of an earlier message. A background job then notifies them in order.
 * `waiting` counts the messages of the author for which it has that to do, up to the limit.
 */
export async function listCandidates(
  db: Queryable,
  target: PostTarget,
): Promise<{ candidates: Recipient[]; later: boolean; waiting: number }> {
  type Row = Recipient | { readonly agentId: null; readonly reasons: number };
  const rows = await db.load<Row, PostTarget>(selectCandidates, target);
  const found = rows.filter((row): row is Recipient => row.agentId !== null);
  const later = rows.find(({ agentId }) => agentId === null);
  return { candidates: found, later: later !== undefined, waiting: later?.reasons ?? 0 };
}
