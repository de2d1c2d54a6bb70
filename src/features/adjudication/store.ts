import { countUpTo } from '../../db/count-up-to.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CaseFacts } from '../../kernel/record-access.ts';
import type { FrozenRound } from './freezing/freezing.rules.ts';
import type { Criterion, SubjectKind } from './rules.ts';
import type { CaseState } from './transitions.ts';

/** A case as it is now, before any check of who may read it. */
export interface Case extends CaseFacts {
  readonly id: string;
  readonly version: number;
  readonly state: CaseState;
  readonly subjectKind: SubjectKind;
  readonly subjectId: string;
  readonly question: string;
  readonly rubric: readonly Criterion[];
  readonly createdAt: string;
}

const caseColumns = sql`
  k.id, k.version, k.state, k.subject_kind AS "subjectKind", k.subject_id AS "subjectId",
  k.question, k.rubric, k.visibility, k.parties, k.readers, k.created_at AS "createdAt"
`;

/** Returns the case, before any check of who may read it; undefined if there is none. */
export const load = (db: Queryable, id: string) =>
  db.first<Case>(sql`SELECT ${caseColumns} FROM adjudication_cases k WHERE k.id = ${id}`);

/** Returns the case and locks it until the transaction ends; undefined if there is none. */
export const lock = (tx: Transaction, id: string) =>
  tx.first<Case>(sql`
    SELECT ${caseColumns}
    FROM adjudication_cases k
    WHERE k.id = ${id}
    FOR NO KEY UPDATE
  `);

/**
 * Returns the open case about a subject. At most one case is open, and it need not be the newest.
 */
export const findOpen = (db: Queryable, kind: SubjectKind, subjectId: string) =>
  db.first<{ id: string }>(sql`
    SELECT k.id
    FROM adjudication_cases k
    WHERE k.subject_id = ${subjectId} AND k.subject_kind = ${kind} AND k.state = 'open'
  `);

/** Counts the open rounds that an agent opened, up to `most`. */
export const countOpenRounds = (tx: Transaction, openerId: string, most: number) =>
  countUpTo(
    tx,
    most,
    sql`
      FROM adjudication_rounds
      WHERE state = 'open' AND frozen->>'openedBy' = ${openerId}::text
    `,
  );

/** Returns the newest case about a subject; undefined if there is none. */
export const findNewestAbout = (db: Queryable, kind: SubjectKind, subjectId: string) =>
  db.first<Case>(sql`
    SELECT ${caseColumns}
    FROM adjudication_cases k
    WHERE k.subject_id = ${subjectId} AND k.subject_kind = ${kind}
    ORDER BY k.created_at DESC, k.id DESC
    LIMIT 1
  `);

/** Lists the frozen documents of all rounds of a case, oldest first. */
export async function listFrozen(db: Queryable, caseId: string): Promise<FrozenRound[]> {
  const rows = await db.rows<{ frozen: FrozenRound }>(sql`
    SELECT frozen
    FROM adjudication_rounds
    WHERE case_id = ${caseId}
    ORDER BY number
  `);
  return rows.map(({ frozen }) => frozen);
}

/** What earlier rounds about a subject, in all of its cases, froze and decided. */
export interface EarlierRounds {
  readonly isDecided: boolean;
  readonly frozenEvidenceIds: ReadonlySet<string>;
}

/** Returns what earlier rounds about a subject froze and decided. */
export async function findEarlierRounds(
  db: Queryable,
  kind: SubjectKind,
  subjectId: string,
): Promise<EarlierRounds> {
  const found = await db.first<{ isDecided: boolean | null; ids: string[] | null }>(sql`
    SELECT bool_or(r.result IN ('upheld', 'rejected')) AS "isDecided",
      array_agg(DISTINCT e.value->>'id') FILTER (WHERE e.value IS NOT NULL) AS ids
    FROM adjudication_cases k
    JOIN adjudication_rounds r ON r.case_id = k.id
    LEFT JOIN LATERAL jsonb_array_elements(r.frozen->'evidence') e ON true
    WHERE k.subject_id = ${subjectId} AND k.subject_kind = ${kind}
  `);
  return {
    isDecided: found?.isDecided ?? false,
    frozenEvidenceIds: new Set(found?.ids ?? []),
  };
}

/**
 * Returns who has taken a slot of the task of each of these submissions, by submission id.
 * Assignments that were abandoned or have expired count too.
 */
export async function findSlotTakers(
  db: Queryable,
  submissionIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (submissionIds.length === 0) return new Map();
  const rows = await db.rows<{ id: string; takers: string[] }>(sql`
    SELECT a.id, array_agg(o.agent_id) AS takers
    FROM assignments a
    JOIN assignments o ON o.task_id = a.task_id
    WHERE a.id = ANY(${submissionIds}::uuid[])
    GROUP BY a.id
  `);
  return new Map(rows.map(({ id, takers }) => [id, takers]));
}
