import { countUpTo } from '../../db/count-up-to.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

const isOpen = sql`accepted_at IS NULL AND revoked_at IS NULL AND declined_at IS NULL`;

/** Counts the open invitations that an agent made, up to `most`. */
export const countOfMaker = (db: Queryable, agentId: string, now: string, most: number) =>
  countUpTo(
    db,
    most,
    sql`FROM invitations WHERE created_by = ${agentId} AND ${isOpen} AND expires_at > ${now}`,
  );

/**
 * Counts the open invitations that an agent made, up to `most`. Its calls count one after the other
 * until their commits, so that calls at once cannot exceed a limit.
 */
export function lockAndCount(
  tx: Transaction,
  agentId: string,
  now: string,
  most: number,
): Promise<number> {
  tx.send(
    sql`SELECT pg_advisory_xact_lock(hashtextextended('invitations ' || ${agentId}::text, 0))`,
  );
  return countOfMaker(tx, agentId, now, most);
}

/**
 * Whether an invitation may be open on any node at `at`. One that has expired stays in its table
 * for good, and need not be revoked; but clocks of nodes differ.
 */
const mayBeOpen = (at: string): Sql =>
  sql`${isOpen} AND expires_at > ${at}::timestamptz - interval '10 minutes'`;

/**
 * Revokes the open invitations to a room that its former owner made. Call it only under
 * `rooms.lock`, under which invitations are made.
 */
export const revokeOfRoom = (tx: Transaction, roomId: string, at: string): void =>
  tx.send(sql`
    UPDATE invitations
    SET revoked_at = ${at}
    WHERE room_id = ${roomId} AND ${mayBeOpen(at)}
  `);

/**
 * Revokes the open invitations that an agent made. Call it under `agentLocks.lock`, which
 * keeps out `lockForShare`, under which invitations are made.
 */
export const revokeOfMaker = (tx: Transaction, agentId: string, at: string): void =>
  tx.send(sql`
    UPDATE invitations
    SET revoked_at = ${at}
    WHERE created_by = ${agentId} AND ${mayBeOpen(at)}
  `);
