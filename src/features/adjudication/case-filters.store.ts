import { type Sql, sql } from '../../db/sql.ts';
import { type CaseSubjectKind, isCaseAbout } from '../../kernel/record-access.ts';
import type { CaseRelation } from './rules.ts';
import type { CaseState } from './transitions.ts';
import { mayVote } from './voting/eligible-voter.store.ts';

/** Which cases a list shows. What is null does not filter. */
export interface CaseFilter {
  /** The kinds of subjects of which cases are shown. */
  readonly subjectKinds: readonly CaseSubjectKind[];
  readonly state: CaseState | null;
  readonly subjectId: string | null;
  /** Needs a reader. */
  readonly mine: CaseRelation | null;
  /** Only cases in which the reader may vote at `now`. Needs a reader. */
  readonly votable: boolean;
  readonly now: string;
}

/**
 * The cases `k` to which an agent has a relation, as conditions of which one must hold. No case
 * fits two of them. Each is read by itself, newest first, by an index that knows the agent.
 */
const relationsOf: Readonly<Record<CaseRelation, (agentId: string) => readonly Sql[]>> = {
  opened: (agentId) => [
    sql`k.opened_by = ${agentId}`,
    sql`
      k.opened_by IS DISTINCT FROM ${agentId}
        AND k.id IN (
          SELECT case_id
          FROM adjudication_rounds
          WHERE frozen->>'openedBy' = ${agentId}::text AND number > 1
        )
    `,
  ],
  party: (agentId) => [
    // The ids are found first: PostgreSQL cannot estimate how rare an agent is among all parties,
    // and would walk all cases for one that is a party to none.
    sql`
      k.id = ANY (
        ARRAY(SELECT p.id FROM adjudication_cases p WHERE p.parties @> ARRAY[${agentId}::uuid])
      )
    `,
    sql`
      NOT k.parties @> ARRAY[${agentId}::uuid]
        AND k.id IN (
          SELECT c.id
          FROM assignments w
          JOIN assignments s ON s.task_id = w.task_id
          JOIN adjudication_cases c ON c.subject_id = s.id AND c.subject_kind = 'task_submission'
          WHERE w.agent_id = ${agentId}
        )
    `,
  ],
  voted: (agentId) => [
    sql`
      k.id IN (
        SELECT r.case_id
        FROM adjudication_ballots b
        JOIN adjudication_rounds r ON r.id = b.round_id
        WHERE b.voter_id = ${agentId}
      )
    `,
  ],
};

/**
 * Builds the conditions that a filter puts on the case `k`. One of them must hold, and none holds
 * together with another.
 */
export function buildCaseFilters(filter: CaseFilter, reader: string | null): readonly Sql[] {
  const { subjectKinds, state, subjectId, mine, votable, now } = filter;
  const inState = state === null ? sql`` : sql`AND k.state = ${state}`;
  const about = subjectId === null ? sql`` : sql`AND k.subject_id = ${subjectId}`;
  const open = votable && reader !== null ? sql`AND ${mayVote(reader, now)}` : sql``;
  const relations = mine === null || reader === null ? [sql`true`] : relationsOf[mine](reader);
  return relations.map(
    (related) => sql`${related} AND ${isCaseAbout(subjectKinds)} ${inState} ${about} ${open}`,
  );
}
