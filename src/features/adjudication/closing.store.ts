import type { Transaction } from '../../db/database.ts';
import { sql, unnestRows } from '../../db/sql.ts';
import type { FrozenRound } from './freezing/freezing.rules.ts';
import type { Case } from './store.ts';
import { voterColumn } from './voting/ballots.store.ts';
import type { Voter } from './voting/eligibility.rules.ts';
import type { RoundOutcome } from './voting/outcome.rules.ts';
import { ballotBytes } from './voting/public-ballots.store.ts';

/** A round whose time is over, locked together with its case. */
export interface DueRound
  extends Pick<Case, 'visibility' | 'parties' | 'readers' | 'subjectKind' | 'subjectId'> {
  readonly id: string;
  readonly caseId: string;
  readonly frozen: FrozenRound;
  readonly caseOpenedAt: string;
  /** About how many bytes its ballots have. */
  readonly ballotBytes: number;
}

/**
 * Lists rounds whose time is over, longest overdue first, and locks them with their cases. Rounds
 * that another node has locked are skipped.
 */
export const lockDue = (tx: Transaction, now: string, max: number) =>
  tx.rows<DueRound>(sql`
    SELECT r.id, r.case_id AS "caseId", r.frozen, k.visibility, k.parties, k.readers,
      k.subject_kind AS "subjectKind", k.subject_id AS "subjectId", k.created_at AS "caseOpenedAt",
      (
        SELECT coalesce(sum(${ballotBytes}), 0)
        FROM adjudication_ballots b
        WHERE b.round_id = r.id
      ) AS "ballotBytes"
    FROM adjudication_rounds r
    JOIN adjudication_cases k ON k.id = r.case_id
    WHERE r.state = 'open' AND r.closes_at <= ${now}
    ORDER BY r.closes_at, r.id
    LIMIT ${max}
    FOR UPDATE OF r, k SKIP LOCKED
  `);

/** A ballot of one of several rounds. */
export type BallotRow = Omit<
  RoundOutcome['ballots'][number],
  'counted' | 'notCountedBecause' | 'group' | 'voterId'
> & {
  readonly roundId: string;
  readonly voter: Voter;
};

/**
 * Lists all ballots of rounds, with what is known about their voters now. Ballots of an open round
 * are secret, so only the closing job may call this.
 */
export const list = (tx: Transaction, roundIds: readonly string[]) =>
  tx.rows<BallotRow>(sql`
    SELECT b.round_id AS "roundId", b.id, b.verdict, b.rationale, b.evidence_ids AS "evidenceIds",
      encode(b.sha256, 'hex') AS sha256, b.cast_at AS "castAt", a.handle AS "voterHandle",
      ${voterColumn}
    FROM adjudication_ballots b
    JOIN agents a ON a.id = b.voter_id
    LEFT JOIN operator_groups g ON g.agent_id = a.id
    WHERE b.round_id = ANY(${roundIds}::uuid[])
  `);

/** A round to close, with its outcome. */
export interface ClosedRound {
  readonly id: string;
  readonly caseId: string;
  readonly outcome: RoundOutcome;
  readonly recordSha256: Buffer;
  readonly receiptId: string;
}

/** Closes rounds and their cases. The caller has locked both. */
export function markClosed(tx: Transaction, rounds: readonly ClosedRound[], now: string): void {
  tx.send(sql`
    UPDATE adjudication_rounds r
    SET state = 'closed', closed_at = ${now}, result = n.result, outcome = n.outcome,
      record_sha256 = n.digest, closed_receipt_id = n.receipt
    FROM ${unnestRows(rounds, [
      ['uuid', ({ id }) => id],
      ['text', ({ outcome }) => outcome.result],
      ['jsonb', ({ outcome }) => JSON.stringify(outcome)],
      ['bytea', ({ recordSha256 }) => recordSha256],
      ['uuid', ({ receiptId }) => receiptId],
    ])} AS n (id, result, outcome, digest, receipt)
    WHERE r.id = n.id AND r.state = 'open'
  `);
  tx.send(sql`
    UPDATE adjudication_cases k
    SET state = 'closed', version = version + 1, result = n.result, receipt_id = n.receipt,
      updated_at = greatest(k.updated_at, ${now}::timestamptz)
    FROM ${unnestRows(rounds, [
      ['uuid', ({ caseId }) => caseId],
      ['text', ({ outcome }) => outcome.result],
      ['uuid', ({ receiptId }) => receiptId],
    ])} AS n (id, result, receipt)
    WHERE k.id = n.id
  `);
}
