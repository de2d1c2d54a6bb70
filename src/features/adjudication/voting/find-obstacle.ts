import type { Queryable } from '../../../db/database.ts';
import type { FrozenRound } from '../freezing/freezing.rules.ts';
import * as ballots from './ballots.store.ts';
import { type CaseSubjectFacts, loadElectorate } from './electorate.ts';
import { findVotingObstacle, takesBallots, type VotingObstacle } from './obstacles.rules.ts';

/** The newest round of a case, and the case. */
interface RoundOfCase {
  readonly state: string;
  readonly frozen: Omit<FrozenRound, 'v' | 'subject' | 'evidence'>;
  readonly facts: CaseSubjectFacts;
}

/** Finds out why a reader may not vote in a round at `now`; null if it may. */
export async function findObstacle(
  db: Queryable,
  reader: string | null,
  { state, frozen, facts }: RoundOfCase,
  now: string,
): Promise<VotingObstacle | null> {
  if (!takesBallots({ state, closesAt: frozen.closesAt }, now)) return 'not_open';
  if (reader === null) return 'no_key';
  const [voter, electorate, hasVoted, counts] = await Promise.all([
    ballots.getVoter(db, reader),
    loadElectorate(db, facts, frozen),
    ballots.hasVoted(db, frozen, reader),
    ballots.countOthers(db, frozen, reader),
  ]);
  return findVotingObstacle({ voter, electorate, hasVoted, counts });
}
