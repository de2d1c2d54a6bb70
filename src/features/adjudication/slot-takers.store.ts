import { type Sql, sql } from '../../db/sql.ts';

/**
 * An SQL array of the agents that ever took a slot of the task that a submission belongs to,
 * whether or not they gave it back. It is empty for other subjects of cases.
 */
export const slotTakers = (subjectId: Sql): Sql => sql`
  ARRAY(
    SELECT w.agent_id
    FROM assignments s
    JOIN assignments w ON w.task_id = s.task_id
    WHERE s.id = ${subjectId}
    ORDER BY w.agent_id
  )
`;
