import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { getPrefix } from './store.ts';

/** An administrator key without its secret. */
export interface AdminKeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

/** Inserts an administrator key. `key` is the secret; only its hash and prefix are stored. */
export const insertAdminKey = (
  db: Queryable,
  key: { readonly id: string; readonly name: string; readonly key: string; readonly now: string },
) =>
  db.run(sql`
    INSERT INTO admin_keys (id, name, prefix, secret_sha256, created_at)
    VALUES (${key.id}, ${key.name}, ${getPrefix(key.key, 'admin')}, ${sha256(key.key)}, ${key.now})
  `);

/** Lists all administrator keys, newest first. */
export const listAdminKeys = (db: Queryable) =>
  db.rows<AdminKeyRow>(sql`
    SELECT id, name, prefix, created_at AS "createdAt", revoked_at AS "revokedAt"
    FROM admin_keys
    ORDER BY created_at DESC, id DESC
  `);

/**
 * Revokes an active administrator key and returns it. The id is compared as text, because the one
 * that was typed may not be a UUID.
 */
export const revokeAdminKey = (tx: Transaction, id: string, now: string) =>
  tx.first<{ id: string; name: string }>(sql`
    UPDATE admin_keys
    SET revoked_at = ${now}
    WHERE id::text = lower(${id}) AND revoked_at IS NULL
    RETURNING id, name
  `);
