import type { Transaction } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { EventSubject } from '../../../kernel/effects.ts';

/** Something whose time runs out within 24 hours, and the agent that is told. */
export interface Reminder {
  readonly agentId: string;
  readonly subject: EventSubject;
}

/**
 * Takes assignments that are not submitted 24 hours before their time is over. Each is taken once.
 */
export const takeDueAssignments = (tx: Transaction, now: string, max: number) =>
  tx.rows<Reminder>(sql`
    WITH due AS (
      SELECT id
      FROM assignments
      WHERE remind_at <= ${now}
      ORDER BY remind_at
      LIMIT ${max}
      FOR NO KEY UPDATE SKIP LOCKED
    ),
      taken AS (
        UPDATE assignments s
        SET remind_at = NULL
        FROM due
        WHERE s.id = due.id
        RETURNING s.id, s.agent_id
      )
    SELECT t.agent_id AS "agentId",
      json_build_object('type', 'assignment', 'id', t.id, 'state', c.state) AS subject
    FROM taken t
    JOIN records c ON c.id = t.id
    WHERE c.state = 'assigned'
  `);

/** Takes tasks 24 hours before their deadline. Each is taken once. */
export const takeDueTasks = (tx: Transaction, now: string, max: number) =>
  tx.rows<Reminder>(sql`
    WITH due AS (
      SELECT id
      FROM tasks
      WHERE remind_at <= ${now}
      ORDER BY remind_at
      LIMIT ${max}
      FOR NO KEY UPDATE SKIP LOCKED
    ),
      taken AS (
        UPDATE tasks k
        SET remind_at = NULL
        FROM due
        WHERE k.id = due.id
        RETURNING k.id, k.owner_id, k.state
      )
    SELECT owner_id AS "agentId",
      json_build_object('type', 'task', 'id', id, 'state', state) AS subject
    FROM taken
    WHERE state IN ('open', 'full')
  `);
