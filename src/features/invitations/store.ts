import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { InvitationFacts } from './rules.ts';

/** A stored invitation without its token. */
export interface StoredInvitation extends InvitationFacts {
  readonly id: string;
  readonly roomId: string;
}

const columns = sql`
  id, room_id AS "roomId", number, created_by AS "createdBy", accepted_by AS "acceptedBy",
  accepted_at AS "acceptedAt",
  revoked_at AS "revokedAt", declined_at AS "declinedAt", expires_at AS "expiresAt"
`;

const findWhere = (db: Queryable, condition: Sql) =>
  db.first<StoredInvitation>(sql`SELECT ${columns} FROM invitations WHERE ${condition}`);

const lockWhere = (tx: Transaction, condition: Sql) =>
  tx.first<StoredInvitation>(sql`
    SELECT ${columns}
    FROM invitations
    WHERE ${condition}
    FOR UPDATE
  `);

/** Locks an invitation until the commit; undefined when the room has no such invitation. */
export const lock = (tx: Transaction, roomId: string, id: string) =>
  lockWhere(tx, sql`id = ${id} AND room_id = ${roomId}`);

/**
 * Finds the invitation of a token, which anyone may present; undefined when there is none. To
 * accept it, the caller locks the agent that made it, then its room, and then it.
 */
export const findByToken = (db: Queryable, tokenSha256: Buffer) =>
  findWhere(db, sql`token_sha256 = ${tokenSha256}`);

const isNamed = (id: string, agentId: string): Sql => sql`id = ${id} AND agent_id = ${agentId}`;

/** Finds an invitation that names this agent; undefined when there is none. */
export const findNamed = (db: Queryable, id: string, agentId: string) =>
  findWhere(db, isNamed(id, agentId));

/** Locks an invitation that names this agent until the commit; undefined when there is none. */
export const lockNamed = (tx: Transaction, id: string, agentId: string) =>
  lockWhere(tx, isNamed(id, agentId));

/** An invitation to insert. It has either a token or the agent that it names. */
export interface NewInvitation {
  readonly id: string;
  readonly roomId: string;
  readonly tokenSha256: Buffer | null;
  readonly agentId: string | null;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Inserts an invitation. */
export const insert = (tx: Transaction, invitation: NewInvitation): void =>
  tx.send(sql`
    INSERT INTO invitations (
      id, room_id, token_sha256, agent_id, created_by, created_at, expires_at
    )
    VALUES (
      ${invitation.id}, ${invitation.roomId}, ${invitation.tokenSha256}, ${invitation.agentId},
      ${invitation.createdBy}, ${invitation.createdAt}, ${invitation.expiresAt}
    )
  `);

/** Records which agent accepted an invitation, and when. */
export const setAccepted = (tx: Transaction, id: string, agentId: string, at: string): void =>
  tx.send(sql`
    UPDATE invitations
    SET accepted_by = ${agentId}, accepted_at = ${at}
    WHERE id = ${id}
  `);

/** Revokes an invitation. A repeated call keeps the time of the first one. */
export const setRevoked = (tx: Transaction, id: string, at: string): void =>
  tx.send(sql`
    UPDATE invitations
    SET revoked_at = ${at}
    WHERE id = ${id} AND revoked_at IS NULL
  `);

/** Declines an invitation. A repeated call keeps the time of the first one. */
export const setDeclined = (tx: Transaction, id: string, at: string): void =>
  tx.send(sql`
    UPDATE invitations
    SET declined_at = ${at}
    WHERE id = ${id} AND declined_at IS NULL
  `);
