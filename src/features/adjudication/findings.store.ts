import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { RoundResult } from './rules.ts';
import type { CaseState } from './transitions.ts';

/** The result of a closed round about a submission. */
export interface SubmissionDecision {
  readonly submissionId: string;
  readonly caseId: string;
  readonly round: number;
  /** `inconclusive` decides nothing; a later round may still decide. */
  readonly result: RoundResult;
  readonly closedAt: string;
}

/**
 * Lists the submissions among these that a closed round was about. Each comes with the earliest
 * result that decides, because a settlement is never undone, or with the newest result if none
 * decides.
 */
export const listDecisions = (db: Queryable, submissionIds: readonly string[]) =>
  db.rows<SubmissionDecision>(sql`
    SELECT DISTINCT ON (k.subject_id) k.subject_id AS "submissionId", k.id AS "caseId",
      r.number AS round, r.result, r.closed_at AS "closedAt"
    FROM adjudication_cases k
    JOIN adjudication_rounds r ON r.case_id = k.id AND r.result IS NOT NULL
    WHERE k.subject_id = ANY(${submissionIds}::uuid[]) AND k.subject_kind = 'task_submission'
    ORDER BY k.subject_id, r.result = 'inconclusive',
      CASE r.result WHEN 'inconclusive' THEN -r.number ELSE r.number END
  `);

/**
 * Returns the findings about these interactions, by interaction id: the result of the round that
 * decided last, in any case, or `inconclusive` if none decided. An interaction without a closed
 * round is absent.
 */
export async function findInteractionResults(
  db: Queryable,
  interactionIds: readonly string[],
): Promise<ReadonlyMap<string, RoundResult>> {
  if (interactionIds.length === 0) return new Map();
  const rows = await db.rows<{ id: string; result: RoundResult }>(sql`
    SELECT DISTINCT ON (k.subject_id) k.subject_id AS id, r.result
    FROM adjudication_cases k
    JOIN adjudication_rounds r ON r.case_id = k.id AND r.result IS NOT NULL
    WHERE k.subject_id = ANY(${interactionIds}::uuid[]) AND k.subject_kind = 'interaction'
    ORDER BY k.subject_id, r.result = 'inconclusive', r.closed_at DESC, r.id DESC
  `);
  return new Map(rows.map(({ id, result }) => [id, result]));
}

/**
 * Lists the cases about an interaction, newest first. `result` is that of the newest round that has
 * one.
 */
export const listAbout = (db: Queryable, interactionId: string) =>
  db.rows<{
    id: string;
    state: CaseState;
    result: RoundResult | null;
    openedAt: string;
    closesAt: string;
  }>(sql`
    SELECT k.id, k.state, k.result, k.created_at AS "openedAt", r.closes_at AS "closesAt"
    FROM adjudication_cases k
    JOIN adjudication_rounds r ON r.case_id = k.id AND r.state <> 'superseded'
    WHERE k.subject_id = ${interactionId} AND k.subject_kind = 'interaction'
    ORDER BY k.created_at DESC, k.id DESC
  `);
