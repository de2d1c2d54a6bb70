import type { Queryable } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

/**
 * Whether some units of alias `k` (tasks) did not go back. The indexes have no others, or tasks
 * that are posted and cancelled would be summed for ever.
 */
const hasUsed = sql`k.returned < k.slots`;

/**
 * Returns what tasks have used of grants, without units that went back: tasks of `ownerIds`, and
 * tasks created on the day of `now`. A sum is skipped, and is 0, where the grant has no such limit.
 */
export const listGrantUsage = (
  db: Queryable,
  subsidyIds: readonly string[],
  ownerIds: readonly string[],
  now: string,
) =>
  db.rows<{ id: string; usedByOperator: number; usedToday: number }>(sql`
    SELECT q.id,
      CASE
        WHEN q.per_operator IS NULL THEN 0
        ELSE (
          SELECT coalesce(sum(k.reward * (k.slots - k.returned)), 0)::bigint
          FROM tasks k
          WHERE k.subsidy_id = q.id AND k.owner_id = ANY(${ownerIds}::uuid[]) AND ${hasUsed}
        )
      END AS "usedByOperator",
      CASE
        WHEN q.per_day IS NULL THEN 0
        ELSE (
          SELECT coalesce(sum(k.reward * (k.slots - k.returned)), 0)::bigint
          FROM tasks k
          WHERE k.subsidy_id = q.id AND ${hasUsed}
            AND k.created_at >= ${`${now.slice(0, 10)}T00:00:00.000Z`}::timestamptz
        )
      END AS "usedToday"
    FROM subsidies q
    WHERE q.id = ANY(${subsidyIds}::uuid[])
  `);
