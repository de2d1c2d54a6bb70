import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CaseFacts } from '../../kernel/record-access.ts';
import type { FrozenRound } from './freezing.rules.ts';
import type { Criterion, RoundResult, SubjectKind } from './rules.ts';
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
}

/** A round about a subject, as far as a further case or round about it needs to know. */
export interface EarlierRound {
  readonly caseId: string;
  /** Null while the round is open. */
  readonly result: RoundResult | null;
  readonly frozen: FrozenRound;
}

const caseColumns = sql`
  k.id, k.version, k.state, k.subject_kind AS "subjectKind", k.subject_id AS "subjectId",
  k.question, k.rubric, k.visibility, k.parties, k.readers
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

/** Returns the newest case about a subject; undefined if there is none. */
export const findNewestAbout = (db: Queryable, kind: SubjectKind, subjectId: string) =>
  db.first<Case>(sql`
    SELECT ${caseColumns}
    FROM adjudication_cases k
    WHERE k.subject_id = ${subjectId} AND k.subject_kind = ${kind}
    ORDER BY k.created_at DESC, k.id DESC
    LIMIT 1
  `);

/** Lists the rounds of all cases about a subject; those of one case are in their order. */
export const listRoundsAbout = (db: Queryable, kind: SubjectKind, subjectId: string) =>
  db.rows<EarlierRound>(sql`
    SELECT r.case_id AS "caseId", r.result, r.frozen
    FROM adjudication_cases k
    JOIN adjudication_rounds r ON r.case_id = k.id
    WHERE k.subject_id = ${subjectId} AND k.subject_kind = ${kind}
    ORDER BY r.case_id, r.number
  `);
