import type { Queryable } from '../../src/db/database.ts';
import { type Sql, sql } from '../../src/db/sql.ts';

/** A step of a plan as EXPLAIN (FORMAT JSON) describes it. */
interface PlanStep {
  readonly 'Relation Name'?: string;
  readonly 'CTE Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanStep[];
}

const sumSteps = (step: PlanStep, table: string): number =>
  (step['Relation Name'] === table || step['CTE Name'] === table
    ? (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)) * step['Actual Loops']
    : 0) + (step.Plans ?? []).reduce((sum, inner) => sum + sumSteps(inner, table), 0);

/** Runs a statement and counts the rows that it visits of a table, or of a part of itself. */
export async function countVisited(db: Queryable, table: string, statement: Sql): Promise<number> {
  const plans = await db.rows<{ 'QUERY PLAN': readonly { Plan: PlanStep }[] }>(
    sql`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`,
  );
  return sumSteps(plans[0]?.['QUERY PLAN'][0]?.Plan as PlanStep, table);
}

/** Runs some work and counts the rows of a table that what it reads visits. */
export async function countVisitedBy(
  db: Queryable,
  table: string,
  work: (counting: Queryable) => Promise<unknown>,
): Promise<number> {
  let visited = 0;
  const count = async (statement: Sql) => {
    visited += await countVisited(db, table, statement);
  };
  await work({
    ...db,
    rows: async <Row>(statement: Sql) => {
      await count(statement);
      return db.rows<Row>(statement);
    },
    first: async <Row>(statement: Sql) => {
      await count(statement);
      return db.first<Row>(statement);
    },
  });
  return visited;
}
