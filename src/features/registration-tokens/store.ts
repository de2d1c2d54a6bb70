import { cutPage } from '../../db/cut-page.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { TokenFacts } from './rules.ts';
import type { RegistrationTokenRow } from './schemas.ts';

interface NewToken extends Pick<TokenFacts, 'uses' | 'expiresAt'> {
  readonly id: string;
  readonly secretSha256: Buffer;
  readonly note: string | null;
  readonly createdBy: string;
  readonly createdAt: string;
}

export const insert = (tx: Transaction, token: NewToken): void =>
  tx.send(sql`
    INSERT INTO registration_tokens (
      id, secret_sha256, note, uses, expires_at, created_by, created_at
    )
    VALUES (
      ${token.id}, ${token.secretSha256}, ${token.note}, ${token.uses}, ${token.expiresAt},
      ${token.createdBy}, ${token.createdAt}
    )
  `);

const columns = sql`
  t.id, t.uses, t.used, t.expires_at AS "expiresAt",
  coalesce(t.revoked_at, k.revoked_at) AS "revokedAt", t.note, t.created_by AS "createdBy",
  t.created_at AS "createdAt"
`;

/**
 * Joins the administrator key that made a token of alias `t`. A token is revoked with that key, so
 * that whoever got hold of the key keeps nothing. Keys from the settings have no row: by the id of
 * their token's maker, `getTokenState` decides.
 */
const joinMaker = sql`LEFT JOIN admin_keys k ON k.id::text = t.created_by`;

/** Lists all tokens, newest first, without their states. */
export async function list(db: Queryable, page: ListPage) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'registration_tokens',
    key: [sql`created_at`, sql`id`],
    findRow: (id) => sql`FROM registration_tokens WHERE id = ${id}`,
  });
  return db.rows<Omit<RegistrationTokenRow, 'state'>>(sql`
    SELECT ${columns}
    FROM (
      SELECT *
      FROM registration_tokens
      WHERE ${after} ${orderBy} ${limit}
    ) t
    ${joinMaker}
    ORDER BY t.created_at DESC, t.id DESC
  `);
}

/** Locks the token with this hash until the commit; undefined if there is none. */
export const lockBySecret = (tx: Transaction, secretSha256: Buffer) =>
  tx.first<TokenFacts & { readonly id: string }>(sql`
    SELECT ${columns}
    FROM registration_tokens t ${joinMaker}
    WHERE t.secret_sha256 = ${secretSha256}
    FOR NO KEY UPDATE OF t
  `);

/** Counts a registration with a token that is locked. */
export const incrementUsed = (tx: Transaction, id: string): void =>
  tx.send(sql`UPDATE registration_tokens SET used = used + 1 WHERE id = ${id}`);

/**
 * Revokes a token, unless it is revoked. Returns whether there is one with this id. The id is
 * compared as text, because the one that was typed may not be a UUID.
 */
export const setRevoked = async (tx: Transaction, id: string, now: string): Promise<boolean> =>
  (await tx.run(sql`
    UPDATE registration_tokens
    SET revoked_at = coalesce(revoked_at, ${now})
    WHERE id::text = lower(${id})
  `)) > 0;
