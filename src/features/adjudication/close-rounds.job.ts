import { digestInTurns } from '../../kernel/crypto/digest-in-turns.ts';
import type { NewReceipt } from '../../kernel/effects.ts';
import {
  runServiceTransaction,
  type ServiceEnvironment,
} from '../../kernel/pipeline/run-service-transaction.ts';
import { tellOfCases } from './case-news.store.ts';
import * as closing from './closing.store.ts';
import * as cases from './store.ts';
import * as ballots from './voting/ballots.store.ts';
import { buildElectorate } from './voting/eligibility.rules.ts';
import { buildOutcome, type RoundOutcome } from './voting/outcome.rules.ts';

/** Rounds that one transaction locks, and bytes of ballots that it reads if it closes several. */
const MAX_ROUNDS = 50;
const MAX_BALLOT_BYTES = 1024 * 1024;

/** Returns the first of these rounds, at least one, whose ballots together stay within bounds. */
function limitByBallots(due: readonly closing.DueRound[]): readonly closing.DueRound[] {
  let sum = 0;
  const over = due.findIndex((round, index) => {
    sum += round.ballotBytes;
    return index > 0 && sum > MAX_BALLOT_BYTES;
  });
  return over < 0 ? due : due.slice(0, over);
}

/** The receipt of a closed round concerns its parties, its readers and everyone who voted. */
const buildClosingReceipt = (
  { caseId, visibility, parties, readers }: closing.DueRound,
  outcome: RoundOutcome,
  contentSha256: Buffer,
): NewReceipt => ({
  kind: 'case.closed',
  visibility,
  actorId: null,
  subject: { type: 'case', id: caseId },
  contentSha256,
  concernedAgentIds: [...parties, ...readers, ...outcome.ballots.map(({ voterId }) => voterId)],
});

/**
 * Closes rounds whose 72 hours are over. The result, the public record and the receipt of a round
 * are committed together. Any number of nodes may run this job: only one of them locks a round, and
 * a round closes once. What is known about the voters at this moment decides which ballots count.
 * Returns whether more rounds may be due.
 */
export const closeRounds = (env: ServiceEnvironment): Promise<boolean> =>
  runServiceTransaction(env, async ({ tx, now, record, notify }) => {
    const due = limitByBallots(await closing.lockDue(tx, now, MAX_ROUNDS));
    if (due.length === 0) return false;
    const [ballotRows, takers] = await Promise.all([
      closing.list(
        tx,
        due.map(({ id }) => id),
      ),
      cases.findSlotTakers(
        tx,
        due.flatMap(({ subjectKind, subjectId }) =>
          subjectKind === 'task_submission' ? [subjectId] : [],
        ),
      ),
    ]);
    const partyIds = [
      ...due.flatMap(({ frozen }) => frozen.parties),
      ...[...takers.values()].flat(),
    ];
    const groups = await ballots.findOperatorGroups(tx, [...new Set(partyIds)]);
    const closed: closing.ClosedRound[] = [];
    for (const round of due) {
      const { frozen } = round;
      const roundBallots = ballotRows.flatMap(({ roundId, ...ballot }) =>
        roundId === round.id ? [ballot] : [],
      );
      const outcome = buildOutcome(
        roundBallots,
        buildElectorate(frozen, {
          caseOpenedAt: round.caseOpenedAt,
          slotTakers: takers.get(round.subjectId) ?? [],
          groups,
        }),
        now,
      );
      const recordSha256 = await digestInTurns({ frozen, outcome });
      const receiptId = record(buildClosingReceipt(round, outcome, recordSha256));
      closed.push({ ...round, outcome, recordSha256, receiptId });
    }
    closing.markClosed(tx, closed, now);
    tellOfCases(
      { tx, notify },
      due.map(({ caseId, parties }) => ({
        caseId,
        state: 'closed',
        actorId: null,
        parties,
        now,
      })),
    );
    return true;
  });
