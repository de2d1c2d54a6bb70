import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Outcome, Vote, Voter } from './ballots.rules.ts';
import type { Frozen } from './rules.ts';
import type { Case } from './store.ts';
import type { RoundState } from './transitions.ts';

/** A round that a ballot is for. */
export interface OpenRound {
  readonly id: string;
  readonly state: RoundState;
  readonly frozen: Frozen;
}

/** The newest round of a case, which cannot close before the commit: who closes it waits for all ballots that are on their way. */
export const shareNewest = (tx: Transaction, caseId: string) =>
  tx.first<OpenRound>(
    sql`SELECT id, state, frozen FROM adjudication_rounds WHERE case_id = ${caseId} ORDER BY number DESC LIMIT 1 FOR SHARE`,
  );

const voters = sql`json_build_object('id', a.id, 'blocked', a.blocked, 'synthetic', a.synthetic, 'group', g.name,
      'registeredAt', to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'reviewer', EXISTS (SELECT 1 FROM capability_states s WHERE s.agent_id = a.id AND s.capability = 'reviewer' AND s.state = 'active')) AS voter`;

export const findVoter = async (db: Queryable, id: string): Promise<Voter> =>
  (
    (await db.first(
      sql`SELECT ${voters} FROM agents a LEFT JOIN operator_groups g ON g.agent_id = a.id WHERE a.id = ${id}`,
    )) as { voter: Voter }
  ).voter;

/** The known operator groups of agents. */
export const groupsOf = async (
  db: Queryable,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (
      await db.rows<{ id: string; name: string }>(
        sql`SELECT agent_id AS id, name FROM operator_groups WHERE agent_id = ANY(${agentIds}::uuid[])`,
      )
    ).map(({ id, name }) => [id, name]),
  );

export const count = async (db: Queryable, roundId: string): Promise<number> =>
  (
    await db.first<{ count: number }>(
      sql`SELECT count(*) AS count FROM adjudication_ballots WHERE round_id = ${roundId}`,
    )
  )?.count ?? 0;

export interface NewBallot extends Vote {
  readonly id: string;
  readonly roundId: string;
  readonly sha256: Buffer;
  readonly receiptId: string;
}

/** Adds a ballot, unless its voter has one in the round: then that one's id. */
export async function insert(
  tx: Transaction,
  b: NewBallot,
): Promise<{ readonly existingId: string } | undefined> {
  const added =
    await tx.run(sql`INSERT INTO adjudication_ballots (id, round_id, voter_id, verdict, rationale, evidence_ids, sha256, receipt_id, cast_at)
    VALUES (${b.id}, ${b.roundId}, ${b.voterId}, ${b.verdict}, ${b.rationale}, ${b.evidenceIds}::uuid[], ${b.sha256}, ${b.receiptId}, ${b.castAt})
    ON CONFLICT (round_id, voter_id) DO NOTHING`);
  if (added > 0) return undefined;
  return tx.first(
    sql`SELECT id AS "existingId" FROM adjudication_ballots WHERE round_id = ${b.roundId} AND voter_id = ${b.voterId}`,
  );
}

/** A round that is due, held together with its case. */
export interface DueRound extends Pick<Case, 'visibility' | 'parties' | 'readers'> {
  readonly id: string;
  readonly caseId: string;
  readonly frozen: Frozen;
  readonly ballots: number;
}

/** Rounds whose time is over, those that wait the longest first, and none that another node is at. */
export const lockDue = (tx: Transaction, now: string, most: number) =>
  tx.rows<DueRound>(sql`SELECT r.id, r.case_id AS "caseId", r.frozen, k.visibility, k.parties, k.readers,
      (SELECT count(*) FROM adjudication_ballots b WHERE b.round_id = r.id) AS ballots
    FROM adjudication_rounds r JOIN adjudication_cases k ON k.id = r.case_id
    WHERE r.state = 'open' AND r.closes_at <= ${now} ORDER BY r.closes_at, r.id LIMIT ${most} FOR UPDATE OF r, k SKIP LOCKED`);

export type BallotRow = Omit<
  Outcome['ballots'][number],
  'counted' | 'notCountedBecause' | 'group' | 'voterId'
> & {
  readonly roundId: string;
  readonly voter: Voter;
};

/** All ballots of rounds, with what is known of their voters now. Only for who closes the rounds. */
export const list = (tx: Transaction, roundIds: readonly string[]) =>
  tx.rows<BallotRow>(sql`SELECT b.round_id AS "roundId", b.id, b.verdict, b.rationale, b.evidence_ids AS "evidenceIds", encode(b.sha256, 'hex') AS sha256,
      b.cast_at AS "castAt", a.handle AS "voterHandle", ${voters}
    FROM adjudication_ballots b JOIN agents a ON a.id = b.voter_id LEFT JOIN operator_groups g ON g.agent_id = a.id WHERE b.round_id = ANY(${roundIds}::uuid[])`);

export interface ClosedRound {
  readonly id: string;
  readonly caseId: string;
  readonly outcome: Outcome;
  readonly recordSha256: Buffer;
  readonly receiptId: string;
}

/** Closes rounds that are held, and their cases. */
export function close(tx: Transaction, rounds: readonly ClosedRound[], now: string): void {
  const column = <T>(read: (round: ClosedRound) => T): T[] => rounds.map(read);
  const [results, receipts] = [
    column(({ outcome }) => outcome.result),
    column(({ receiptId }) => receiptId),
  ];
  tx.send(sql`UPDATE adjudication_rounds r SET state = 'closed', closed_at = ${now}, result = n.result, outcome = n.outcome, record_sha256 = n.digest, closed_receipt_id = n.receipt
    FROM unnest(${column(({ id }) => id)}::uuid[], ${results}::text[], ${column(({ outcome }) => JSON.stringify(outcome))}::jsonb[],
      ${column(({ recordSha256 }) => recordSha256)}::bytea[], ${receipts}::uuid[]) AS n (id, result, outcome, digest, receipt)
    WHERE r.id = n.id AND r.state = 'open'`);
  tx.send(sql`UPDATE adjudication_cases k SET state = 'closed', version = version + 1, result = n.result, receipt_id = n.receipt,
      updated_at = greatest(k.updated_at, ${now}::timestamptz)
    FROM unnest(${column(({ caseId }) => caseId)}::uuid[], ${results}::text[], ${receipts}::uuid[]) AS n (id, result, receipt) WHERE k.id = n.id`);
}
