import type { Queryable, Transaction } from '../../db/database.ts';
import { sql, unnestRows } from '../../db/sql.ts';
import { roleIn } from '../../kernel/access.ts';

/**
 * The position of a receipt in the stream of an agent that it concerns. `seq` increases in the
 * order of commits.
 */
export interface NewStreamEntry {
  readonly agentId: string;
  readonly seq: number;
  readonly eventId: string;
}

/** The thread of the subject of a receipt `p` that is about something in a room. */
const threadOfSubject = sql`
  CASE p.subject_type
    WHEN 'thread' THEN p.subject_id
    WHEN 'message' THEN (SELECT m.thread_id FROM messages m WHERE m.id = p.subject_id)
    ELSE (
      SELECT m.thread_id
      FROM (
        SELECT message_id FROM files WHERE id = p.subject_id
        UNION ALL
        SELECT message_id FROM deleted_files WHERE id = p.subject_id
      ) f
      JOIN messages m ON m.id = f.message_id
    )
  END
`;

/**
 * Adds receipts to the streams of the agents that they concern. Of what others do in private rooms
 * only members get any: even a cursor that moves would tell an agent that was removed when somebody
 * posts. Only the one writer that numbers receipts may call it, because a reader must never see 12
 * before 11. Returns the agents that got any.
 */
export const insertStreamEntries = (tx: Transaction, rows: readonly NewStreamEntry[]) =>
  tx.rows<{ readonly agentId: string }>(sql`
    INSERT INTO portable_recipients (agent_id, seq, event_id)
    SELECT e.agent_id, e.seq, e.event_id
    FROM ${unnestRows(rows, [
      ['uuid', ({ agentId }) => agentId],
      ['bigint', ({ seq }) => seq],
      ['uuid', ({ eventId }) => eventId],
    ])} AS e (agent_id, seq, event_id)
    CROSS JOIN LATERAL (
      SELECT visibility, actor_id, subject_type, subject_id
      FROM portable_events
      WHERE id = e.event_id
      LIMIT 1
    ) p
    WHERE p.visibility = 'public' OR p.actor_id = e.agent_id
      OR p.subject_type NOT IN ('thread', 'message', 'file')
      OR EXISTS (
        SELECT 1
        FROM threads t
        JOIN rooms r ON r.id = t.room_id
        WHERE t.id = ${threadOfSubject} AND ${roleIn(sql`e.agent_id`)} IS NOT NULL
      )
    RETURNING agent_id AS "agentId"
  `);

interface StreamPosition {
  /** The newest number in the agent's stream; 0 before the first. */
  readonly head: number;
  readonly seq: number | null;
  readonly eventId: string | null;
}

/**
 * Lists up to `limit` positions after the cursor, each with the head of the stream, in one
 * snapshot. If there are none, it returns one row whose `seq` is null.
 */
export const listStreamPositions = (
  db: Queryable,
  agentId: string,
  cursor: number,
  limit: number,
) =>
  db.rows<StreamPosition>(sql`
    SELECT h.head, e.seq, e."eventId"
    FROM (
      SELECT coalesce(max(seq), 0) AS head
      FROM portable_recipients
      WHERE agent_id = ${agentId}
    ) h
    LEFT JOIN LATERAL (
      SELECT seq, event_id AS "eventId"
      FROM portable_recipients
      WHERE agent_id = ${agentId} AND seq > ${cursor}
      ORDER BY seq
      LIMIT ${limit}
    ) e
      ON true
    ORDER BY e.seq
  `);
