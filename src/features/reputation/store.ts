import type { Queryable, Transaction } from '../../db/database.ts';
import { join, raw, type Sql, sql } from '../../db/sql.ts';
import { type Facts, RECENT } from './rules.ts';
import type { Reputation } from './schemas.ts';

const iso = (time: Sql): Sql =>
  sql`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** When the newest interaction with the subject `s` was recorded: the first row of an index, also where there is none and statistics expect many. */
const newest = (inContext: Sql): Sql =>
  sql`(SELECT e.recorded_at FROM reputation_entries e WHERE e.subject_id = s.id ${inContext} ORDER BY e.recorded_at DESC LIMIT 1)`;

/**
 * What is public about a target, in one statement and so of one moment; undefined when there is nothing in any context. All of it is counted already, or the first
 * rows of an index: it looks at the same few rows whatever is behind the target.
 */
export async function find(
  db: Queryable,
  { kind, id, context }: Pick<Reputation, 'kind' | 'id' | 'context'>,
): Promise<Facts | undefined> {
  const inContext = context === null ? sql`` : sql`AND e.context = ${context}`;
  return db.first<Facts>(sql`SELECT
      coalesce((SELECT json_object_agg(c.what, c.count) FROM reputation_counts c WHERE c.subject_id = s.id AND c.context = ${context ?? ''}), '{}') AS counts,
      (SELECT w.operator_recorded_at FROM reputation_authors w WHERE w.subject_id = s.id AND w.context = ${context ?? ''}
          AND w.operator_recorded_at IS NOT NULL AND w.upheld + w.rejected > 0 ORDER BY w.operator_recorded_at DESC LIMIT 1) AS "operatorsRecordedAt",
      (SELECT json_build_object('recordedAt', ${iso(sql`g.recorded_at`)}, 'upheld', coalesce(o.upheld, 0), 'rejected', coalesce(o.rejected, 0))
        FROM operator_groups g LEFT JOIN reputation_operators o ON o.subject_id = s.id AND o.context = ${context ?? ''} AND o.operator = g.name COLLATE "C"
        WHERE g.agent_id = s.agent_id) AS "targetOperator",
      coalesce((SELECT json_agg(json_build_object('caseId', f.case_id, 'interactionId', f.interaction_id, 'result', f.result, 'closedAt', ${iso(sql`f.closed_at`)})
          ORDER BY f.closed_at DESC, f.round_id DESC)
        FROM (SELECT * FROM reputation_entries e WHERE e.subject_id = s.id ${inContext} AND e.result IS NOT NULL
          ORDER BY e.closed_at DESC, e.round_id DESC LIMIT ${RECENT}) f), '[]') AS "recentFindings",
      ${newest(inContext)} AS "recordedAt"
    FROM subjects s WHERE s.id = ${id} AND (${kind} = 'subject' OR s.agent_id IS NOT NULL)
      AND ${newest(sql``)} IS NOT NULL`);
}

/** What is kept beside the records, each after what it is counted from. Rows that came down to 0 stay, and are none. */
const kept = [
  {
    holds:
      'Every public interaction that was not withdrawn is kept with its latest result, and no other.',
    ...{ table: raw('reputation_entries'), key: raw('interaction_id'), some: raw('true') },
  },
  {
    holds:
      'The findings of each author are counted as they are kept, and for the operator that is known.',
    ...{
      table: raw('reputation_authors'),
      key: raw('subject_id, context, author_id'),
      some: raw('upheld <> 0 OR rejected <> 0'),
    },
  },
  {
    holds: 'The findings of each operator are those of its authors.',
    ...{
      table: raw('reputation_operators'),
      key: raw('subject_id, context, operator'),
      some: raw('agents <> 0'),
    },
  },
  {
    holds: 'Interactions, findings and operators are counted as they are kept.',
    ...{
      table: raw('reputation_counts'),
      key: raw('subject_id, context, what'),
      some: raw('count <> 0'),
    },
  },
] as const;

type Kept = (typeof kept)[number];
const is = ({ table, some }: Kept): Sql => sql`SELECT * FROM ${table} WHERE ${some}`;
/** The same computed again, as the views of migrations 14 and 19 do. */
const should = ({ table }: Kept): Sql => sql`SELECT * FROM ${table}_anew`;

export interface Agreement {
  readonly holds: string;
  /** Rows that are kept and should not be, and the other way round. */
  readonly differences: number;
}

/** Computes everything again from the records and counts where what is kept differs. For a transaction that reads one snapshot. */
export const compare = (tx: Queryable): Promise<Agreement[]> =>
  Promise.all(
    kept.map(async (one) => {
      const found = await tx.first<{
        count: number;
      }>(sql`SELECT (SELECT count(*) FROM (${is(one)} EXCEPT ${should(one)}) a)
        + (SELECT count(*) FROM (${should(one)} EXCEPT ${is(one)}) b) AS count`);
      return { holds: one.holds, differences: found?.count ?? 0 };
    }),
  );

/** Subjects of which something is kept that should not be, or the other way round. */
async function wrongSubjects(tx: Transaction): Promise<string[]> {
  const differences = kept.flatMap((one) => [
    sql`(${is(one)} EXCEPT ${should(one)})`,
    sql`(${should(one)} EXCEPT ${is(one)})`,
  ]);
  const found = await tx.rows<{ id: string }>(
    join(
      differences.map((rows) => sql`SELECT subject_id AS id FROM ${rows} d`),
      ' UNION ',
    ),
  );
  return found.map(({ id }) => id);
}

/** Computes everything again and mends it where it differs: of those subjects, under a lock that whoever changes an entry or an operator waits for; nobody who reads does. */
export async function mend(tx: Transaction): Promise<void> {
  const wrong = await wrongSubjects(tx);
  if (wrong.length === 0) return;
  tx.send(sql`LOCK TABLE reputation_entries, reputation_authors IN SHARE ROW EXCLUSIVE MODE`);
  const ofThese = sql`subject_id = ANY(${wrong}::uuid[])`;
  for (const one of kept) {
    const { table, key } = one;
    const right = sql`SELECT * FROM (${should(one)}) s WHERE ${ofThese}`;
    const present = sql`SELECT * FROM ${table} WHERE ${ofThese}`;
    tx.send(
      sql`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM (${present} EXCEPT ${right}) w)`,
    );
    tx.send(sql`INSERT INTO ${table} ${right} EXCEPT ${present}`);
  }
}
