import { type Sql, sql } from '../../db/sql.ts';
import type { CaseRelation } from './rules.ts';
import type { CaseState } from './transitions.ts';

/** Which cases a list shows. What is null does not filter. */
export interface CaseFilter {
  readonly state: CaseState | null;
  readonly subjectId: string | null;
  /** Needs a reader. */
  readonly mine: CaseRelation | null;
  /** Only cases in which the reader may vote at `now`. Needs a reader. */
  readonly votable: boolean;
  readonly now: string;
}

/** The ids of the cases to which an agent has a relation, found by what it did. */
const idsOf: Readonly<Record<CaseRelation, (agentId: string) => Sql>> = {
  opened: (agentId) => sql`
    SELECT id
    FROM adjudication_cases
    WHERE opened_by = ${agentId}
    UNION ALL
    SELECT case_id
    FROM adjudication_rounds
    WHERE frozen->>'openedBy' = ${agentId}::text
  `,
  party: (agentId) => sql`
    SELECT id
    FROM adjudication_cases
    WHERE parties @> ARRAY[${agentId}::uuid]
    UNION ALL
    SELECT c.id
    FROM assignments w
    JOIN assignments s ON s.task_id = w.task_id
    JOIN adjudication_cases c ON c.subject_id = s.id AND c.subject_kind = 'task_submission'
    WHERE w.agent_id = ${agentId}
  `,
  voted: (agentId) => sql`
    SELECT r.case_id
    FROM adjudication_ballots b
    JOIN adjudication_rounds r ON r.id = b.round_id
    WHERE b.voter_id = ${agentId}
  `,
};

/**
 * Whether an agent may vote in the newest round of the case `k`: findVotingObstacle, as a
 * condition. Both are compared by a test over all reasons.
 */
const mayVote = (agentId: string, now: string): Sql => sql`
  k.state = 'open' AND EXISTS (
    SELECT 1
    FROM agents a
    JOIN capability_states s
      ON s.agent_id = a.id AND s.capability = 'reviewer' AND s.state = 'active'
    LEFT JOIN operator_groups g ON g.agent_id = a.id
    JOIN adjudication_rounds r ON r.case_id = k.id AND r.state = 'open'
    CROSS JOIN LATERAL (SELECT r.frozen->>'method' = 'stoa-adjudication/1' AS first) method
    CROSS JOIN LATERAL (
      SELECT r.parties || CASE WHEN method.first THEN '{}'::uuid[] ELSE ARRAY(
        SELECT w.agent_id
        FROM assignments o
        JOIN assignments w ON w.task_id = o.task_id
        WHERE o.id = k.subject_id
      ) END AS ids
    ) party
    WHERE a.id = ${agentId} AND NOT a.blocked AND NOT a.synthetic
      AND r.closes_at > ${now}
      AND a.created_at
        <= CASE WHEN method.first THEN r.opens_at ELSE k.created_at END - interval '24 hours'
      AND a.id <> ALL (party.ids)
      AND NOT EXISTS (
        SELECT 1
        FROM operator_groups p
        WHERE p.name = g.name AND p.agent_id = ANY (party.ids)
      )
      AND NOT EXISTS (
        SELECT 1
        FROM adjudication_ballots b
        WHERE b.round_id = r.id AND b.voter_id = a.id
      )
  )
`;

/** Builds the condition that a filter puts on the case `k`. */
export function buildCaseFilter(filter: CaseFilter, reader: string | null): Sql {
  const { state, subjectId, mine, votable, now } = filter;
  const inState = state === null ? sql`` : sql`AND k.state = ${state}`;
  const about = subjectId === null ? sql`` : sql`AND k.subject_id = ${subjectId}`;
  const related =
    mine === null || reader === null ? sql`` : sql`AND k.id IN (${idsOf[mine](reader)})`;
  const open = votable && reader !== null ? sql`AND ${mayVote(reader, now)}` : sql``;
  return sql`true ${inState} ${about} ${related} ${open}`;
}
