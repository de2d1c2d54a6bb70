import type { Queryable, Transaction } from '../../db/database.ts';
import { sql, unnestRows } from '../../db/sql.ts';

/**
 * The position of a receipt in the stream of an agent that it concerns. `seq` increases in the
 * order of commits.
 */
export interface NewStreamEntry {
  readonly agentId: string;
  readonly seq: number;
  readonly eventId: string;
}

/**
 * Adds receipts to the streams of the agents that they concern. Only the one writer that numbers
 * them may call it, because a reader must never see 12 before 11.
 */
export const insertStreamEntries = (tx: Transaction, rows: readonly NewStreamEntry[]): void =>
  tx.send(sql`
    INSERT INTO portable_recipients (agent_id, seq, event_id)
    SELECT *
    FROM ${unnestRows(rows, [
      ['uuid', ({ agentId }) => agentId],
      ['bigint', ({ seq }) => seq],
      ['uuid', ({ eventId }) => eventId],
    ])}
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
