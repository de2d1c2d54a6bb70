import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** A public key of ours as a JSON Web Key (RFC 7517). */
export interface PublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
}

/** The key that signs now. */
export interface StoredSigningKey {
  readonly id: number;
  readonly kid: string;
  /** PKCS #8, as it is or sealed. */
  readonly privateKey: Buffer;
  readonly sealed: boolean;
}

export interface NewSigningKey extends Omit<StoredSigningKey, 'id'> {
  readonly publicJwk: PublicJwk;
  readonly createdAt: string;
}

export const findCurrent = (db: Queryable) =>
  db.first<StoredSigningKey>(sql`
    SELECT id, kid, private_key AS "privateKey", sealed
    FROM signing_keys
    WHERE retired_at IS NULL
  `);

const buildInsert = ({ kid, publicJwk, privateKey, sealed, createdAt }: NewSigningKey) =>
  sql`
    INSERT INTO signing_keys (kid, public_jwk, private_key, sealed, created_at)
    VALUES (${kid}, ${JSON.stringify(publicJwk)}, ${privateKey}, ${sealed}, ${createdAt})
    ON CONFLICT
    DO NOTHING
  `;

/** Makes this the key that signs, unless there is one. */
export const insertFirst = (db: Queryable, key: NewSigningKey): Promise<number> =>
  db.run(buildInsert(key));

/**
 * Retires the key that signs, and makes this one sign. What another rotation has just made is
 * retired as well.
 */
export async function replace(tx: Transaction, key: NewSigningKey): Promise<void> {
  await tx.run(sql`LOCK TABLE signing_keys IN SHARE ROW EXCLUSIVE MODE`);
  await tx.run(sql`
    UPDATE signing_keys
    SET retired_at = ${key.createdAt}, private_key = NULL
    WHERE retired_at IS NULL
  `);
  tx.send(buildInsert(key));
}

/** Keeps a key sealed that was open before. */
export const updateSealed = (
  db: Queryable,
  { id }: Pick<StoredSigningKey, 'id'>,
  privateKey: Buffer,
): Promise<number> =>
  db.run(sql`
    UPDATE signing_keys
    SET private_key = ${privateKey}, sealed = true
    WHERE id = ${id} AND retired_at IS NULL AND NOT sealed
  `);

/** Every key that ever signed, the newest first. */
export const listPublic = async (db: Queryable): Promise<PublicJwk[]> =>
  (
    await db.rows<{ publicJwk: PublicJwk }>(sql`
      SELECT public_jwk AS "publicJwk"
      FROM signing_keys
      ORDER BY id DESC
    `)
  ).map(({ publicJwk }) => publicJwk);
