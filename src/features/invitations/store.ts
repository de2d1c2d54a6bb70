import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { InvitationFacts } from './rules.ts';

/** A stored invitation without its token. */
export interface StoredInvitation extends InvitationFacts {
  readonly id: string;
  readonly createdBy: string;
}

const columns = sql`
  id, created_by AS "createdBy", accepted_by AS "acceptedBy", accepted_at AS "acceptedAt",
  revoked_at AS "revokedAt", expires_at AS "expiresAt"
`;

/** Locks an invitation until the commit; undefined when the room has no such invitation. */
export const lock = (tx: Transaction, roomId: string, id: string) =>
  tx.first<StoredInvitation>(sql`
    SELECT ${columns}
    FROM invitations
    WHERE id = ${id} AND room_id = ${roomId}
    FOR UPDATE
  `);

/** Locks the invitation of a token until the commit. The caller locks its room first. */
export const lockByToken = (tx: Transaction, tokenSha256: Buffer) =>
  tx.first<StoredInvitation>(sql`
    SELECT ${columns}
    FROM invitations
    WHERE token_sha256 = ${tokenSha256}
    FOR UPDATE
  `);

/**
 * Builds a scalar subquery for the room of a token's invitation. With it the room can be locked
 * without a round trip to find its id first.
 */
export const selectRoomId = (tokenSha256: Buffer): Sql =>
  sql`(SELECT room_id FROM invitations WHERE token_sha256 = ${tokenSha256})`;

/** An invitation to insert. */
export interface NewInvitation {
  readonly id: string;
  readonly roomId: string;
  readonly tokenSha256: Buffer;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** Inserts an invitation. */
export const insert = (tx: Transaction, invitation: NewInvitation): void =>
  tx.send(sql`
    INSERT INTO invitations (id, room_id, token_sha256, created_by, created_at, expires_at)
    VALUES (
      ${invitation.id}, ${invitation.roomId}, ${invitation.tokenSha256}, ${invitation.createdBy},
      ${invitation.createdAt}, ${invitation.expiresAt}
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
