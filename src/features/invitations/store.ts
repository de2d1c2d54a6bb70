import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { InvitationFacts } from './rules.ts';

/** A stored invitation without its token. */
export interface StoredInvitation extends InvitationFacts {
  readonly id: string;
}

const columns = sql`
  id, number, created_by AS "createdBy", accepted_by AS "acceptedBy", accepted_at AS "acceptedAt",
  revoked_at AS "revokedAt", declined_at AS "declinedAt", expires_at AS "expiresAt"
`;

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

const hasToken = (tokenSha256: Buffer): Sql => sql`token_sha256 = ${tokenSha256}`;

/**
 * Locks the invitation of a token until the commit. The caller locks the agent that made it first,
 * and then its room.
 */
export const lockByToken = (tx: Transaction, tokenSha256: Buffer) =>
  lockWhere(tx, hasToken(tokenSha256));

/**
 * Builds a scalar subquery for the room of a token's invitation. With it the room can be locked
 * without a round trip to find its id first.
 */
export const selectRoomId = (tokenSha256: Buffer): Sql =>
  sql`(SELECT room_id FROM invitations WHERE ${hasToken(tokenSha256)})`;

/** Builds a scalar subquery for the agent that made a token's invitation. */
export const selectMakerId = (tokenSha256: Buffer): Sql =>
  sql`(SELECT created_by FROM invitations WHERE ${hasToken(tokenSha256)})`;

const isNamed = (id: string, agentId: string): Sql => sql`id = ${id} AND agent_id = ${agentId}`;

/**
 * Locks an invitation that names this agent until the commit; undefined when there is none. To
 * accept it, the caller locks the agent that made it first, and then its room.
 */
export const lockNamed = (tx: Transaction, id: string, agentId: string) =>
  lockWhere(tx, isNamed(id, agentId));

/** Builds a scalar subquery for the room of an invitation that names this agent. */
export const selectNamedRoomId = (id: string, agentId: string): Sql =>
  sql`(SELECT room_id FROM invitations WHERE ${isNamed(id, agentId)})`;

/** Builds a scalar subquery for the agent that made an invitation that names this agent. */
export const selectNamedMakerId = (id: string, agentId: string): Sql =>
  sql`(SELECT created_by FROM invitations WHERE ${isNamed(id, agentId)})`;

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
