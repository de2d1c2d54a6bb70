import type { Queryable, Transaction } from '../../db/database.ts';
import { raw, type Sql, sql } from '../../db/sql.ts';
import { type Facts, RECENT, type Tally } from './rules.ts';
import type { Reputation } from './schemas.ts';

const iso = (time: Sql): Sql => sql`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

interface Row extends Omit<Facts, 'tallies' | 'operatorsRecordedAt'> {
  /** Of tallies the values alone: there may be many. */
  readonly behind: Pick<Facts, 'operatorsRecordedAt'> & { readonly tallies: readonly (readonly [Tally['operator'], number, number, number])[] };
}

/**
 * What is public about a target, in one statement and so of one moment; undefined when there is nothing in any context. Blocked and synthetic agents
 * stand behind nothing. OFFSET 0 keeps the planner from reading all agents where it expects many authors.
 */
export async function find(db: Queryable, { kind, id, context }: Pick<Reputation, 'kind' | 'id' | 'context'>): Promise<Facts | undefined> {
  const inContext = context === null ? sql`` : sql`AND e.context = ${context}`;
  const found = await db.first<Row>(sql`SELECT
      coalesce((SELECT json_object_agg(c.what, c.count) FROM reputation_counts c WHERE c.subject_id = s.id AND c.context = ${context ?? ''}), '{}') AS counts,
      (SELECT json_build_object('operatorsRecordedAt', ${iso(sql`max(t.recorded_at)`)},
          'tallies', coalesce(json_agg(json_build_array(t.name, t.agents, t.upheld, t.rejected)), '[]'))
        FROM (SELECT o.name, count(*) AS agents, sum(w.upheld) AS upheld, sum(w.rejected) AS rejected, max(o.recorded_at) AS recorded_at
          FROM reputation_authors w LEFT JOIN LATERAL (SELECT g.name COLLATE "C" AS name, g.recorded_at FROM operator_groups g WHERE g.agent_id = w.author_id OFFSET 0) o ON true
          WHERE w.subject_id = s.id AND w.context = ${context ?? ''} AND w.upheld + w.rejected > 0
            AND NOT EXISTS (SELECT 1 FROM agents a WHERE a.id = w.author_id AND (a.blocked OR a.synthetic) OFFSET 0) GROUP BY o.name) t) AS behind,
      (SELECT json_build_object('name', g.name, 'recordedAt', ${iso(sql`g.recorded_at`)}) FROM operator_groups g WHERE g.agent_id = s.agent_id) AS "targetOperator",
      coalesce((SELECT json_agg(json_build_object('caseId', f.case_id, 'interactionId', f.interaction_id, 'result', f.result, 'closedAt', ${iso(sql`f.closed_at`)})
          ORDER BY f.closed_at DESC, f.round_id DESC)
        FROM (SELECT * FROM reputation_entries e WHERE e.subject_id = s.id ${inContext} AND e.result IS NOT NULL
          ORDER BY e.closed_at DESC, e.round_id DESC LIMIT ${RECENT}) f), '[]') AS "recentFindings",
      (SELECT e.recorded_at FROM reputation_entries e WHERE e.subject_id = s.id ${inContext} ORDER BY e.recorded_at DESC LIMIT 1) AS "recordedAt"
    FROM subjects s WHERE s.id = ${id} AND (${kind} = 'subject' OR s.agent_id IS NOT NULL)
      AND EXISTS (SELECT 1 FROM reputation_entries e WHERE e.subject_id = s.id)`);
  if (!found) return undefined;
  const { behind, ...facts } = found;
  const tallies = behind.tallies.map(([operator, agents, upheld, rejected]) => ({ operator, agents, upheld, rejected }));
  return { ...facts, operatorsRecordedAt: behind.operatorsRecordedAt, tallies };
}

/** What is kept beside the records, each after what it is counted from. Rows that came down to 0 stay, and are none. */
const kept = [
  {
    holds: 'Every public interaction that was not withdrawn is kept with its latest result, and no other.',
    ...{ table: raw('reputation_entries'), key: raw('interaction_id'), some: raw('true') },
  },
  {
    holds: 'Interactions and findings are counted as they are kept.',
    ...{ table: raw('reputation_counts'), key: raw('subject_id, context, what'), some: raw('count <> 0') },
  },
  {
    holds: 'The findings behind each author are counted as they are kept.',
    ...{ table: raw('reputation_authors'), key: raw('subject_id, context, author_id'), some: raw('upheld <> 0 OR rejected <> 0') },
  },
] as const;

type Kept = (typeof kept)[number];
const is = ({ table, some }: Kept): Sql => sql`SELECT * FROM ${table} WHERE ${some}`;
/** The same computed again, as the views of migration 14 do. */
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
      const found = await tx.first<{ count: number }>(sql`SELECT (SELECT count(*) FROM (${is(one)} EXCEPT ${should(one)}) a)
        + (SELECT count(*) FROM (${should(one)} EXCEPT ${is(one)}) b) AS count`);
      return { holds: one.holds, differences: found?.count ?? 0 };
    }),
  );

/** Computes everything again and mends what differs. Until the commit, what changes an entry waits; nobody who reads does. */
export async function mend(tx: Transaction): Promise<void> {
  tx.send(sql`LOCK TABLE reputation_entries IN SHARE ROW EXCLUSIVE MODE`);
  for (const one of kept) {
    const { table, key } = one;
    tx.send(sql`DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM (SELECT * FROM ${table} EXCEPT ${should(one)}) w)`);
    tx.send(sql`INSERT INTO ${table} ${should(one)} EXCEPT SELECT * FROM ${table}`);
  }
}
