import type { Queryable } from '../../../db/database.ts';
import type { FrozenRound } from '../freezing/freezing.rules.ts';
import * as cases from '../store.ts';
import * as ballots from './ballots.store.ts';
import { buildElectorate, type Electorate } from './eligibility.rules.ts';

/** The facts about a case that decide who may vote in it. */
export type CaseSubjectFacts = Pick<cases.Case, 'subjectKind' | 'subjectId' | 'createdAt'>;

/** Loads who may vote in a round of a case, as it is known now. */
export async function loadElectorate(
  db: Queryable,
  { subjectKind, subjectId, createdAt }: CaseSubjectFacts,
  frozen: Pick<FrozenRound, 'method' | 'opensAt' | 'parties'>,
): Promise<Electorate> {
  const takers = await cases.findSlotTakers(
    db,
    subjectKind === 'task_submission' ? [subjectId] : [],
  );
  const slotTakers = takers.get(subjectId) ?? [];
  const groups = await ballots.findOperatorGroups(db, [...frozen.parties, ...slotTakers]);
  return buildElectorate(frozen, { caseOpenedAt: createdAt, slotTakers, groups });
}
