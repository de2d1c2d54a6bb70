import type { Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { InvitationFacts } from './rules.ts';

export interface Invitation extends InvitationFacts {
  readonly id: string;
  readonly createdBy: string;
}

const columns = sql`id, created_by AS "createdBy", accepted_by AS "acceptedBy", accepted_at AS "acceptedAt", revoked_at AS "revokedAt", expires_at AS "expiresAt"`;

/** An invitation of a room, held until the commit; undefined when it is of another one. */
export const lock = (tx: Transaction, roomId: string, id: string) =>
  tx.first<Invitation>(
    sql`SELECT ${columns} FROM invitations WHERE id = ${id} AND room_id = ${roomId} FOR UPDATE`,
  );

/** The invitation of a token, held until the commit. Its room is to be locked before. */
export const lockByToken = (tx: Transaction, tokenSha256: Buffer) =>
  tx.first<Invitation>(
    sql`SELECT ${columns} FROM invitations WHERE token_sha256 = ${tokenSha256} FOR UPDATE`,
  );

/** The room that a token leads to, as a scalar: the room can so be locked without asking for its id first. */
export const roomOf = (tokenSha256: Buffer): Sql =>
  sql`(SELECT room_id FROM invitations WHERE token_sha256 = ${tokenSha256})`;

export interface NewInvitation {
  readonly id: string;
  readonly roomId: string;
  readonly tokenSha256: Buffer;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

export const insert = (tx: Transaction, i: NewInvitation): void =>
  tx.send(sql`INSERT INTO invitations (id, room_id, token_sha256, created_by, created_at, expires_at)
    VALUES (${i.id}, ${i.roomId}, ${i.tokenSha256}, ${i.createdBy}, ${i.createdAt}, ${i.expiresAt})`);

export const setAccepted = (tx: Transaction, id: string, by: string, at: string): void =>
  tx.send(sql`UPDATE invitations SET accepted_by = ${by}, accepted_at = ${at} WHERE id = ${id}`);

/** Keeps the time of the first revocation. */
export const setRevoked = (tx: Transaction, id: string, at: string): void =>
  tx.send(sql`UPDATE invitations SET revoked_at = ${at} WHERE id = ${id} AND revoked_at IS NULL`);
