import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { interactionKinds } from '../interactions/rules.ts';
import { MAX_RECENT_FINDINGS } from './method.rules.ts';
import type { ReputationFacts } from './rules.ts';
import type { Reputation } from './schemas.ts';

const isoTime = (time: Sql): Sql =>
  sql`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Whether the finding of an entry `e` is shown: withdrawing ends all but those that decided. */
const shownFinding = sql`
  e.result IS NOT NULL AND (NOT e.withdrawn OR e.result <> 'inconclusive')
`;

/**
 * When the newest interaction with the subject `s` that stands was recorded. This form reads the
 * first row of an index, even if there is no row and the statistics expect many.
 */
const newestRecordedAt = (inContext: Sql): Sql =>
  sql`
    (
      SELECT e.recorded_at
      FROM reputation_entries e
      WHERE e.subject_id = s.id AND NOT e.withdrawn ${inContext}
      ORDER BY e.recorded_at DESC
      LIMIT 1
    )
  `;

/**
 * Whether a public interaction with the subject `s` stands, or there is a finding about it and the
 * installation shows findings.
 */
const hasRecords = (showsFindings: boolean): Sql => sql`
  (
    ${newestRecordedAt(sql``)} IS NOT NULL
      OR ${showsFindings} AND EXISTS (
        SELECT 1
        FROM reputation_entries e
        WHERE e.subject_id = s.id AND ${shownFinding}
      )
  )
`;

/**
 * Returns how many public interactions with a subject stand, of all kinds, and whether it has a
 * reputation, which is when a read of that would not be `not_found`.
 */
export const summarize = (db: Queryable, subjectId: string, showsFindings: boolean) =>
  db.first<{ interactionCount: number; hasReputation: boolean }>(sql`
    SELECT ${hasRecords(showsFindings)} AS "hasReputation",
      (
        SELECT coalesce(sum(c.count), 0)::bigint
        FROM reputation_counts c
        WHERE c.subject_id = s.id AND c.context = '' AND c.what = ANY(${interactionKinds})
      ) AS "interactionCount"
    FROM subjects s
    WHERE s.id = ${subjectId}
  `);

/**
 * Returns the public facts about a target in one statement, and so at one moment; undefined if
 * there are none in any context. Everything is counted beforehand or is the first rows of an index,
 * so the cost does not depend on how much was recorded about the target.
 */
export async function find(
  db: Queryable,
  { kind, id, context }: Pick<Reputation, 'kind' | 'context'> & { readonly id: Sql | string },
  showsFindings: boolean,
): Promise<ReputationFacts | undefined> {
  const inContext = context === null ? sql`` : sql`AND e.context = ${context}`;
  return db.first<ReputationFacts>(sql`
    SELECT coalesce(
      (
        SELECT json_object_agg(c.what, c.count)
        FROM reputation_counts c
        WHERE c.subject_id = s.id AND c.context = ${context ?? ''}
      ),
      '{}'
    ) AS counts,
      (
        SELECT w.operator_recorded_at
        FROM reputation_authors w
        WHERE w.subject_id = s.id
          AND w.context = ${context ?? ''}
          AND w.operator_recorded_at IS NOT NULL
          AND w.upheld + w.rejected > 0
        ORDER BY w.operator_recorded_at DESC
        LIMIT 1
      ) AS "operatorsRecordedAt",
      (
        SELECT json_build_object(
          'recordedAt', ${isoTime(sql`g.recorded_at`)}, 'upheld', coalesce(o.upheld, 0), 'rejected',
          coalesce(o.rejected, 0)
        )
        FROM operator_groups g
        LEFT JOIN reputation_operators o
          ON o.subject_id = s.id
            AND o.context = ${context ?? ''}
            AND o.operator = g.name COLLATE "C"
        WHERE g.agent_id = s.agent_id
      ) AS "targetOperator",
      coalesce(
        (
          SELECT json_agg(
            json_build_object(
              'caseId', f.case_id, 'interactionId', f.interaction_id, 'result', f.result,
              'closedAt', ${isoTime(sql`f.closed_at`)}
            ) ORDER BY f.closed_at DESC,
            f.round_id DESC
          )
          FROM (
            SELECT *
            FROM reputation_entries e
            WHERE e.subject_id = s.id ${inContext} AND ${shownFinding}
            ORDER BY e.closed_at DESC, e.round_id DESC
            LIMIT ${MAX_RECENT_FINDINGS}
          ) f
        ),
        '[]'
      ) AS "recentFindings",
      ${newestRecordedAt(inContext)} AS "recordedAt"
    FROM subjects s
    WHERE s.id = ${id}
      AND (${kind} = 'subject' OR s.agent_id IS NOT NULL)
      AND ${hasRecords(showsFindings)}
  `);
}
