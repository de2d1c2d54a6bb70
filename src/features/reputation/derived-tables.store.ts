import type { Queryable, Transaction } from '../../db/database.ts';
import { join, raw, type Sql, sql } from '../../db/sql.ts';

/**
 * Tables that triggers derive from the records; each one comes after the table that it is counted
 * from. Rows whose counts went down to 0 stay in a table; `nonEmpty` leaves them out.
 */
const derivedTables = [
  {
    holds: 'Every public interaction is stored with the result that decided last, and no other is.',
    table: raw('reputation_entries'),
    key: raw('interaction_id'),
    nonEmpty: raw('true'),
  },
  {
    holds: 'The counts of each author match the stored findings, and name the known operator.',
    table: raw('reputation_authors'),
    key: raw('subject_id, context, author_id'),
    nonEmpty: raw('upheld <> 0 OR rejected <> 0'),
  },
  {
    holds: 'The findings of each operator are those of its authors.',
    table: raw('reputation_operators'),
    key: raw('subject_id, context, operator'),
    nonEmpty: raw('agents <> 0'),
  },
  {
    holds: 'Interactions, findings and operators are counted as they are stored.',
    table: raw('reputation_counts'),
    key: raw('subject_id, context, what'),
    nonEmpty: raw('count <> 0'),
  },
] as const;

type DerivedTable = (typeof derivedTables)[number];

const storedRows = ({ table, nonEmpty }: DerivedTable): Sql =>
  sql`SELECT * FROM ${table} WHERE ${nonEmpty}`;

/** The rows of a table recomputed from the records, by views (migrations 14, 19, 27 and 31). */
const recomputedRows = ({ table }: DerivedTable): Sql => sql`SELECT * FROM ${table}_anew`;

/** The comparison of one derived table with the records. */
export interface TableCheck {
  /** A sentence that is true if there are no differences. */
  readonly holds: string;
  /** Number of rows that are stored but should not be, or the other way round. */
  readonly differences: number;
}

/**
 * Recomputes everything from the records and counts the differences to the stored rows. Call it in
 * a transaction that reads one snapshot.
 */
export const compareWithRecords = (tx: Queryable): Promise<TableCheck[]> =>
  Promise.all(
    derivedTables.map(async (one) => {
      const found = await tx.first<{ count: number }>(sql`
        SELECT (
          SELECT count(*)
          FROM (${storedRows(one)} EXCEPT ${recomputedRows(one)}) a
        ) + (SELECT count(*) FROM (${recomputedRows(one)} EXCEPT ${storedRows(one)}) b) AS count
      `);
      return { holds: one.holds, differences: found?.count ?? 0 };
    }),
  );

/** Lists subjects with rows that are stored but should not be, or the other way round. */
async function listWrongSubjects(tx: Transaction): Promise<string[]> {
  const differences = derivedTables.flatMap((one) => [
    sql`(${storedRows(one)} EXCEPT ${recomputedRows(one)})`,
    sql`(${recomputedRows(one)} EXCEPT ${storedRows(one)})`,
  ]);
  const found = await tx.rows<{ id: string }>(
    join(
      differences.map((rows) => sql`SELECT subject_id AS id FROM ${rows} d`),
      ' UNION ',
    ),
  );
  return found.map(({ id }) => id);
}

/**
 * Recomputes everything and repairs the subjects that differ. It takes a lock that blocks changes
 * of entries and operators, but no reads.
 */
export async function repair(tx: Transaction): Promise<void> {
  const wrongIds = await listWrongSubjects(tx);
  if (wrongIds.length === 0) return;
  tx.send(sql`LOCK TABLE reputation_entries, reputation_authors IN SHARE ROW EXCLUSIVE MODE`);
  const ofWrongSubjects = sql`subject_id = ANY(${wrongIds}::uuid[])`;
  for (const one of derivedTables) {
    const { table, key } = one;
    const correctRows = sql`SELECT * FROM (${recomputedRows(one)}) s WHERE ${ofWrongSubjects}`;
    const presentRows = sql`SELECT * FROM ${table} WHERE ${ofWrongSubjects}`;
    tx.send(sql`
      DELETE FROM ${table}
      WHERE (${key}) IN (SELECT ${key} FROM (${presentRows} EXCEPT ${correctRows}) w)
    `);
    tx.send(sql`INSERT INTO ${table} ${correctRows} EXCEPT ${presentRows}`);
  }
}
