import type { Queryable, Transaction } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { FrozenRound } from '../freezing/freezing.rules.ts';
import type { RoundState } from '../transitions.ts';
import type { Vote } from './ballots.rules.ts';
import type { BallotCounts } from './casting.rules.ts';
import type { Voter } from './eligibility.rules.ts';

/** The newest round of a case, whatever its state is. */
export interface OpenRound {
  readonly id: string;
  readonly state: RoundState;
  readonly frozen: FrozenRound;
}

const newestRound = (caseId: string): Sql => sql`
  SELECT id, state, frozen
  FROM adjudication_rounds
  WHERE case_id = ${caseId}
  ORDER BY number DESC
  LIMIT 1
`;

/** Finds the newest round of a case without a lock. Decide again under `lockNewestForShare`. */
export const findNewest = (tx: Transaction, caseId: string) =>
  tx.first<OpenRound>(newestRound(caseId));

/**
 * Returns the newest round of a case and share-locks it. The round cannot close before the
 * transaction ends, so that the closing job sees every ballot that was accepted.
 */
export const lockNewestForShare = (tx: Transaction, caseId: string) =>
  tx.first<OpenRound>(sql`${newestRound(caseId)} FOR SHARE`);

/** The facts about a voter as a column, from agents `a` and operator_groups `g`. */
export const voterColumn = sql`
  json_build_object(
    'id', a.id, 'blocked', a.blocked, 'synthetic', a.synthetic, 'group', g.name,
    'registeredAt', to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'reviewer', EXISTS (
      SELECT 1
      FROM capability_states s
      WHERE s.agent_id = a.id AND s.capability = 'reviewer' AND s.state = 'active'
    )
  ) AS voter
`;

/** Returns the facts about a voter, which is an agent that exists. */
export async function getVoter(db: Queryable, id: string): Promise<Voter> {
  const found = await db.first<{ voter: Voter }>(sql`
    SELECT ${voterColumn}
    FROM agents a
    LEFT JOIN operator_groups g ON g.agent_id = a.id
    WHERE a.id = ${id}
  `);
  if (!found) throw new Error(`There is no agent ${id}.`);
  return found.voter;
}

/**
 * Returns the operator groups of agents by agent id. An agent whose operator is not known is
 * absent.
 */
export async function findOperatorGroups(
  db: Queryable,
  agentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ id: string; name: string }>(sql`
    SELECT agent_id AS id, name
    FROM operator_groups
    WHERE agent_id = ANY(${agentIds}::uuid[])
  `);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Tells whether an agent has a ballot in a round. */
export async function hasVoted(
  db: Queryable,
  { caseId, round }: Pick<FrozenRound, 'caseId' | 'round'>,
  voterId: string,
): Promise<boolean> {
  const found = await db.first(sql`
    SELECT 1
    FROM adjudication_rounds r
    JOIN adjudication_ballots b ON b.round_id = r.id
    WHERE r.case_id = ${caseId} AND r.number = ${round} AND b.voter_id = ${voterId}
  `);
  return found !== undefined;
}

/**
 * Counts the ballots of others in a round. A voter's own is left out, so that a second attempt is
 * told of the first, and not of a limit.
 */
export async function countOthers(
  db: Queryable,
  { caseId, round }: Pick<FrozenRound, 'caseId' | 'round'>,
  voterId: string,
): Promise<BallotCounts> {
  const found = await db.first<BallotCounts>(sql`
    SELECT count(*) AS all, count(*) FILTER (WHERE g.name = o.name) AS "ofOperator"
    FROM adjudication_rounds r
    JOIN adjudication_ballots b ON b.round_id = r.id
    LEFT JOIN operator_groups g ON g.agent_id = b.voter_id
    LEFT JOIN operator_groups o ON o.agent_id = ${voterId}
    WHERE r.case_id = ${caseId} AND r.number = ${round} AND b.voter_id <> ${voterId}
  `);
  return found ?? { all: 0, ofOperator: 0 };
}

/** A ballot to insert. */
export interface NewBallot extends Vote {
  readonly id: string;
  readonly roundId: string;
  readonly sha256: Buffer;
  readonly receiptId: string;
}

/**
 * Inserts a ballot. If its voter already has one in the round, inserts nothing and returns the id
 * of that one.
 */
export async function insert(
  tx: Transaction,
  ballot: NewBallot,
): Promise<{ readonly existingId: string } | undefined> {
  const inserted = await tx.run(sql`
    INSERT INTO adjudication_ballots (
      id, round_id, voter_id, verdict, rationale, evidence_ids, sha256, receipt_id, cast_at
    )
    VALUES (
      ${ballot.id}, ${ballot.roundId}, ${ballot.voterId}, ${ballot.verdict}, ${ballot.rationale},
      ${ballot.evidenceIds}::uuid[], ${ballot.sha256}, ${ballot.receiptId}, ${ballot.castAt}
    )
    ON CONFLICT (round_id, voter_id)
    DO NOTHING
  `);
  if (inserted > 0) return undefined;
  return tx.first(sql`
    SELECT id AS "existingId"
    FROM adjudication_ballots
    WHERE round_id = ${ballot.roundId} AND voter_id = ${ballot.voterId}
  `);
}
