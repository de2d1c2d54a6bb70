import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** A record that waits for the reader. */
export interface RecordAskRow {
  readonly type: 'offer' | 'assignment' | 'task' | 'request';
  readonly id: string;
  readonly state: string;
  /** The thread of a request; null for other records. */
  readonly threadId: string | null;
  readonly dueAt: string | null;
}

/** Which records to list. */
interface RecordPage {
  /** Only records with a smaller id; null for all. */
  readonly before: string | null;
  readonly limit: number;
  readonly now: string;
  /** Owners are asked about tasks whose deadline is not later than this. */
  readonly soon: string;
  /** What is switched off asks for nothing. */
  readonly offers: boolean;
  readonly tasks: boolean;
}

/**
 * Lists requests that an agent holds, offers that it may accept, slots whose work it has not
 * submitted, and tasks of its own that end soon, newest first. A claim ends by the clock of the
 * database. Offers of agents that it mutes ask for nothing: they were no events either, and many
 * small ones would fill the answer. The primary key of mutes finds each sender.
 */
export const listRecordAsks = (
  db: Queryable,
  agentId: string,
  { before, limit, now, soon, offers, tasks }: RecordPage,
) =>
  db.rows<RecordAskRow>(sql`
    SELECT type, id, state, thread_id AS "threadId", due_at AS "dueAt"
    FROM (
      SELECT 'offer' AS type, o.id, c.state, NULL::uuid AS thread_id, o.expires_at AS due_at
      FROM offers o
      JOIN records c ON c.id = o.id
      WHERE o.recipient_id = ${agentId} AND o.open AND c.state = 'confirmed' AND ${offers}::bool
        AND (o.expires_at IS NULL OR o.expires_at > ${now})
        AND NOT EXISTS (
          SELECT 1
          FROM mutes u
          WHERE u.agent_id = o.recipient_id AND u.muted_id = o.sender_id
        )
      UNION ALL
      SELECT 'assignment', s.id, 'assigned', NULL, coalesce(s.submit_by, k.deadline)
      FROM assignments s
      JOIN tasks k ON k.id = s.task_id
      WHERE s.agent_id = ${agentId} AND s.holds_slot AND s.case_id IS NULL AND ${tasks}::bool
        AND (SELECT state FROM records WHERE id = s.id) = 'assigned'
        AND coalesce(s.submit_by, k.deadline) > ${now}
      UNION ALL
      SELECT 'task', k.id, k.state, NULL, k.deadline
      FROM tasks k
      WHERE k.owner_id = ${agentId} AND k.state IN ('open', 'full') AND ${tasks}::bool
        AND k.deadline > ${now} AND k.deadline <= ${soon}
      UNION ALL
      SELECT 'request', q.message_id, q.state, q.thread_id, q.expires_at
      FROM requests q
      WHERE q.holder_id = ${agentId} AND q.state = 'claimed' AND q.expires_at > clock_timestamp()
    ) asked
    WHERE ${before}::uuid IS NULL OR id < ${before}::uuid
    ORDER BY id DESC
    LIMIT ${limit}
  `);
