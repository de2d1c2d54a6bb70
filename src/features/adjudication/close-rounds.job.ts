import type { Database } from '../../db/database.ts';
import { iso } from '../../kernel/clock.ts';
import { close } from './closing.store.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import { outcomeOf } from './ballots.rules.ts';
import * as ballots from './ballots.store.ts';
import { digestOfDocument } from './rules.ts';

/** Rounds that are held at once, and ballots that are read for them: a transaction of about 100 ms. */
const ROUNDS = 50;
const BALLOTS = 2_000;

/** The first of these rounds, so many that their ballots stay within bounds; one at least. */
function slice(due: readonly ballots.DueRound[]): readonly ballots.DueRound[] {
  let sum = 0;
  const over = due.findIndex((round, index) => {
    sum += round.ballots;
    return index > 0 && sum > BALLOTS;
  });
  return over < 0 ? due : due.slice(0, over);
}

/**
 * Closes rounds whose 72 hours are over, each in one go with its result, its public record and its receipt. Any number of nodes may run it: a round is held by
 * one, and closed once. Ballots count by what is known of their voters at this moment. Returns whether there may be more.
 */
export const closeRounds = ({
  db,
  clock,
  newId,
  installation,
}: Pick<Environment, 'clock' | 'newId' | 'installation'> & {
  readonly db: Database;
}): Promise<boolean> =>
  db.transaction(async (tx) => {
    const now = iso(clock());
    const due = slice(await ballots.lockDue(tx, now, ROUNDS));
    if (due.length === 0) return false;
    const [cast, groups] = await Promise.all([
      ballots.list(
        tx,
        due.map(({ id }) => id),
      ),
      ballots.groupsOf(tx, [...new Set(due.flatMap(({ frozen }) => frozen.parties))]),
    ]);
    const closed = due.map((round) => {
      const { frozen } = round;
      const own = cast.flatMap(({ roundId, ...ballot }) => (roundId === round.id ? [ballot] : []));
      const outcome = outcomeOf(
        own,
        { ...frozen, partyGroups: frozen.parties.flatMap((id) => groups.get(id) ?? []) },
        now,
      );
      return {
        ...round,
        outcome,
        recordSha256: digestOfDocument({ frozen, outcome }),
        receiptId: newId(),
      };
    });
    ballots.close(tx, closed, now);
    const acts = closed.map(
      ({
        receiptId: id,
        caseId,
        visibility,
        recordSha256: contentSha256,
        parties,
        readers,
        outcome,
      }) => ({
        ...({
          id,
          kind: 'case.closed',
          visibility,
          actorId: null,
          subject: { type: 'case', id: caseId },
          contentSha256,
        } as const),
        concerns: [...parties, ...readers, ...outcome.ballots.map(({ voterId }) => voterId)],
      }),
    );
    close(tx, [{ now, issuer: installation, writes: [], acts, record: null, notices: [] }]);
    return true;
  });
