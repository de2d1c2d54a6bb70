import { type Sql, sql } from '../../db/sql.ts';
import type { CaseRelation } from './rules.ts';
import type { CaseState } from './transitions.ts';
import { mayVote } from './voting/eligible-voter.store.ts';

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
