import type { Transaction } from '../../db/database.ts';
import { sql, unnestRows } from '../../db/sql.ts';
import { hearsOfRound } from './heard-round.store.ts';
import { eligibleVoter } from './voting/eligible-voter.store.ts';

/*
 * A call tells the agents that asked for it that a case in which they may vote opened or closed.
 * They may be many, so a background job tells them in slices.
 */

/** A case that came into a state. */
export interface NewCall {
  readonly caseId: string;
  readonly state: 'open' | 'closed';
  /** Who opened the round; null where the service acted by itself. */
  readonly actorId: string | null;
  readonly now: string;
}

/**
 * Leaves the reviewers of cases to the background job. The turn of a call comes after the calls of
 * the same opener that wait, and not after those of others (start-time fair queueing). A case that
 * opens by itself counts as that of its first party, who did the work.
 */
export const insertCalls = (tx: Transaction, calls: readonly NewCall[]): void =>
  tx.send(sql`
    INSERT INTO case_calls (case_id, state, actor_id, created_at, opener_id, turn)
    SELECT c.case_id, c.state, c.actor_id, c.created_at, o.opener_id,
      row_number() OVER (PARTITION BY o.opener_id ORDER BY c.case_id) + greatest(
        (SELECT coalesce(min(w.turn), 0) FROM case_calls w),
        (SELECT coalesce(max(w.turn), 0) FROM case_calls w WHERE w.opener_id = o.opener_id)
      )
    FROM ${unnestRows(calls, [
      ['uuid', ({ caseId }) => caseId],
      ['text', ({ state }) => state],
      ['uuid', ({ actorId }) => actorId],
      ['timestamptz', ({ now }) => now],
    ])} AS c (case_id, state, actor_id, created_at)
    CROSS JOIN LATERAL (
      SELECT coalesce((r.frozen->>'openedBy')::uuid, r.parties[1]) AS opener_id
      FROM adjudication_rounds r
      WHERE r.case_id = c.case_id
      ORDER BY r.number DESC
      LIMIT 1
    ) o
  `);

/** A call that is not finished. */
export interface Call {
  readonly id: number;
  readonly caseId: string;
  readonly state: 'open' | 'closed';
  readonly actorId: string | null;
  readonly createdAt: string;
  readonly afterAgent: string | null;
}

/**
 * Locks the call whose turn it is and that no other node works on. The calls about one case are
 * worked on in order.
 */
export const lockCall = (tx: Transaction) =>
  tx.first<Call>(sql`
    SELECT id, case_id AS "caseId", state, actor_id AS "actorId", created_at AS "createdAt",
      after_agent AS "afterAgent"
    FROM case_calls f
    WHERE NOT EXISTS (
      SELECT 1
      FROM case_calls earlier
      WHERE earlier.case_id = f.case_id AND earlier.id < f.id
    )
    ORDER BY turn, id
    LIMIT 1
    FOR UPDATE SKIP LOCKED
  `);

/**
 * Lists the next agents that asked to be told, in id order. `eligible` is false for those that may
 * not vote in the newest round, may not read the case, or mute those that brought the round about.
 */
export const listNextReviewers = (tx: Transaction, call: Call, limit: number) =>
  tx.rows<{ agentId: string; eligible: boolean }>(sql`
    SELECT n.agent_id AS "agentId",
      (
        ${eligibleVoter}
        AND (k.visibility = 'public' OR a.id = ANY (k.readers))
        AND ${hearsOfRound}
      ) AS eligible
    FROM review_notices n
    JOIN agents a ON a.id = n.agent_id
    JOIN adjudication_cases k ON k.id = ${call.caseId}
    JOIN adjudication_rounds r ON r.case_id = k.id AND r.state <> 'superseded'
    WHERE ${call.afterAgent}::uuid IS NULL OR n.agent_id > ${call.afterAgent}::uuid
    ORDER BY n.agent_id
    LIMIT ${limit}
  `);

/** Notes how far a call has come. */
export const advanceCall = (tx: Transaction, id: number, afterAgent: string): void =>
  tx.send(sql`UPDATE case_calls SET after_agent = ${afterAgent} WHERE id = ${id}`);

/** Ends a call. */
export const deleteCall = (tx: Transaction, id: number): void =>
  tx.send(sql`DELETE FROM case_calls WHERE id = ${id}`);
