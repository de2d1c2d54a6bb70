import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Successor } from './ownership.rules.ts';

/**
 * Finds what decides whether an agent may own a room; undefined if there is no such agent. Call it
 * only under `agentLocks.lockForShare` of the agent, so that nobody can block it before the
 * transaction ends, and under `rooms.lock`, like all functions below.
 */
export const findSuccessor = (tx: Transaction, roomId: string, agentId: string) =>
  tx.first<Successor>(sql`
    SELECT a.blocked,
      (
        SELECT m.role
        FROM members m
        WHERE m.room_id = ${roomId} AND m.agent_id = a.id
      ) AS role
    FROM agents a
    WHERE a.id = ${agentId}
  `);

/** How long a proposal or its acceptance waits for the room, in milliseconds. */
const ROOM_WAIT_MS = 250;

/**
 * Lets the transaction wait only shortly for what it locks from now on: whoever it has locked
 * before waits with it. Errors, when it is used: DatabaseUnavailable.
 */
export const limitLockWait = (tx: Transaction): void =>
  tx.send(sql`SELECT set_config('lock_timeout', ${String(ROOM_WAIT_MS)}, true)`);

/** Stores whom the owner proposes as the next owner; null takes the proposal back. */
export const updateProposal = (tx: Transaction, roomId: string, agentId: string | null): void =>
  tx.send(sql`
    UPDATE rooms
    SET proposed_owner_id = ${agentId}
    WHERE id = ${roomId}
  `);

/**
 * Takes back all proposals of an owner. Call it under `agentLocks.lock`, which the owner waits for
 * when it proposes. It locks the rooms in the order of their ids.
 */
export const withdrawProposalsOfOwner = (tx: Transaction, ownerId: string): void =>
  tx.send(sql`
    WITH held AS MATERIALIZED (
      SELECT r.id
      FROM members m
      JOIN rooms r ON r.id = m.room_id
      WHERE m.agent_id = ${ownerId} AND m.role = 'owner' AND r.owner_id = m.agent_id
        AND r.proposed_owner_id IS NOT NULL
      ORDER BY r.id
      FOR NO KEY UPDATE OF r
    )
    UPDATE rooms r
    SET proposed_owner_id = NULL
    FROM held h
    WHERE r.id = h.id
  `);

/** Makes a member the owner of the room, and the owner a member. A proposal ends. */
export function updateOwner(tx: Transaction, roomId: string, agentId: string): void {
  // An index allows one owner, so the old one steps down first.
  tx.send(sql`UPDATE members SET role = 'member' WHERE room_id = ${roomId} AND role = 'owner'`);
  tx.send(sql`
    UPDATE members
    SET role = 'owner'
    WHERE room_id = ${roomId} AND agent_id = ${agentId}
  `);
  tx.send(sql`
    UPDATE rooms
    SET owner_id = ${agentId}, proposed_owner_id = NULL
    WHERE id = ${roomId}
  `);
}
