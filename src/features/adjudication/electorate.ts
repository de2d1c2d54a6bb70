import type { Queryable } from '../../db/database.ts';
import * as ballots from './ballots.store.ts';
import { buildElectorate, type Electorate } from './eligibility.rules.ts';
import type { FrozenRound } from './freezing.rules.ts';
import * as cases from './store.ts';

/** Loads who may vote in a round of a case, as it is known now. */
export async function loadElectorate(
  db: Queryable,
  { subjectKind, subjectId, createdAt }: cases.Case,
  frozen: FrozenRound,
): Promise<Electorate> {
  const takers = await cases.findSlotTakers(
    db,
    subjectKind === 'task_submission' ? [subjectId] : [],
  );
  const slotTakers = takers.get(subjectId) ?? [];
  const groups = await ballots.findOperatorGroups(db, [...frozen.parties, ...slotTakers]);
  return buildElectorate(frozen, { caseOpenedAt: createdAt, slotTakers, groups });
}
