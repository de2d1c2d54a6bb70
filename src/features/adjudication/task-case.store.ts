import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { TaskCase } from './freezing/freezing.rules.ts';
import { hearsOfRound } from './heard-round.store.ts';
import { insertCase, type OpeningContext } from './opening.store.ts';
import { eligibleVoter } from './voting/eligible-voter.store.ts';

/**
 * Opens the case of a submission, in the transaction of the operation that submits it. The case has
 * no opener, and the submitter and the owner are its parties. The job closes it 72 hours later.
 * Each submission has one such case; new evidence opens later rounds. Returns the id of the case.
 */
export const openTaskCase = (
  context: OpeningContext,
  { submission, submitterId, ownerId, ...rest }: TaskCase,
): string =>
  insertCase(context, {
    ...rest,
    openedBy: null,
    subject: { type: 'task_submission', ...submission },
    parties: [submitterId, ownerId],
  });

/**
 * Adds readers to the private cases about the work of a task. Returns the open ones that got any,
 * with the ids of those.
 */
export const addReaders = (tx: Transaction, taskId: string, agentIds: readonly string[]) =>
  tx.rows<{ id: string; added: string[] }>(sql`
    WITH missing AS (
      SELECT k.id, array_agg(n.id) AS added
      FROM assignments s
      JOIN adjudication_cases k ON k.id = s.case_id AND k.visibility = 'private'
      CROSS JOIN unnest(${agentIds}::uuid[]) AS n (id)
      WHERE s.task_id = ${taskId} AND n.id <> ALL (k.parties || k.readers)
      GROUP BY k.id
    ),
      changed AS (
        UPDATE adjudication_cases k
        SET readers = k.readers || m.added
        FROM missing m
        WHERE k.id = m.id
        RETURNING k.id, k.state, m.added
      )
    SELECT id, added
    FROM changed
    WHERE state = 'open'
    ORDER BY id
  `);

/**
 * Lists those of these agents that asked to be told of cases, may vote in this open one, and do not
 * mute those that brought its round about.
 */
export async function listCalledReviewers(
  db: Queryable,
  caseId: string,
  agentIds: readonly string[],
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    SELECT a.id
    FROM review_notices n
    JOIN agents a ON a.id = n.agent_id
    JOIN adjudication_cases k ON k.id = ${caseId}
    JOIN adjudication_rounds r ON r.case_id = k.id AND r.state = 'open'
    WHERE n.agent_id = ANY(${agentIds}::uuid[]) AND ${eligibleVoter} AND ${hearsOfRound}
    ORDER BY a.id
  `);
  return rows.map(({ id }) => id);
}

/** Whether an agent may read a case about the work of a task as one of its readers. */
export const isReaderOfTaskCase = async (
  db: Queryable,
  taskId: string,
  agentId: string,
): Promise<boolean> =>
  (await db.first(sql`
    SELECT 1
    FROM assignments s
    JOIN adjudication_cases k ON k.id = s.case_id
    WHERE s.task_id = ${taskId} AND k.visibility = 'private' AND ${agentId}::uuid = ANY(k.readers)
  `)) !== undefined;
