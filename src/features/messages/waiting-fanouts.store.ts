import { type Sql, sql } from '../../db/sql.ts';
import { MAX_WAITING_FANOUTS } from './waiting-fanouts.rules.ts';

/**
 * Counts the messages of an author whose subscribers are still being notified, as a part of another
 * statement. It stops at the limit, so that it costs the same however many wait.
 */
export const countWaitingFanouts = (authorId: Sql): Sql => sql`
  (
    SELECT count(*)::int
    FROM (
      SELECT 1
      FROM event_fanouts
      WHERE author_id = ${authorId}
      LIMIT ${MAX_WAITING_FANOUTS}
    ) waiting
  )
`;
