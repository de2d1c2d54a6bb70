import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { unitsClause } from './experiment-units.store.ts';
import type { DayCounts, ExperimentId } from './rules.ts';
import type { Span } from './spans.rules.ts';

/**
 * Sets planner options for a query over units, in its transaction. PostgreSQL cannot estimate the
 * number of rows, and with a low estimate it reads all messages for each of them. The cost of hash
 * joins does not depend on the estimate. JIT compilation does not pay off for a query that runs
 * once.
 */
async function setPlannerOptions(tx: Queryable): Promise<void> {
  await Promise.all([
    tx.run(sql`SET LOCAL enable_nestloop = off`),
    tx.run(sql`SET LOCAL jit = off`),
  ]);
}

/**
 * Counts the units of each day that has any; groups with fewer than `minAuthors` authors are left
 * out. It needs a transaction of its own.
 */
export async function countByDay(
  tx: Queryable,
  experiment: ExperimentId,
  span: Span,
  minAuthors: number,
): Promise<DayCounts[]> {
  await setPlannerOptions(tx);
  return tx.rows(sql`
    ${unitsClause(experiment, span, minAuthors)}
    SELECT day, count(*) FILTER (WHERE value >= 1) AS numerator, count(*) AS denominator
    FROM units
    GROUP BY day
  `);
}

/**
 * A unit of a dataset. `place` decides its order within the day; it is a keyed hash, so that the
 * order reveals nothing, in particular no time.
 */
export interface ExperimentUnit {
  readonly day: string;
  readonly context: string;
  readonly authorId: string;
  readonly value: number;
  readonly place: string;
}

/**
 * Lists up to `limit` units of a span after `after`, by day and place, from the current facts. It
 * needs a transaction of its own.
 */
export async function listUnits(
  tx: Queryable,
  experiment: ExperimentId,
  span: Span,
  {
    minAuthors,
    shuffle,
    after,
    limit,
  }: {
    readonly minAuthors: number;
    readonly shuffle: Buffer;
    readonly after: Pick<ExperimentUnit, 'day' | 'place'>;
    readonly limit: number;
  },
): Promise<ExperimentUnit[]> {
  await setPlannerOptions(tx);
  return tx.rows(sql`
    ${unitsClause(experiment, span, minAuthors)}
    SELECT day, context, author_id AS "authorId", value, place
    FROM (
      SELECT u.*,
        encode(sha256(${shuffle}::bytea || convert_to(unit, 'UTF8')), 'hex') COLLATE "C" AS place
      FROM units u
    ) shuffled
    WHERE (day, place) > (${after.day}::date, ${after.place})
    ORDER BY day, place
    LIMIT ${limit}
  `);
}
