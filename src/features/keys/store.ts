import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { prefixes, sha256 } from '../../kernel/crypto/credentials.ts';
import type { Static } from '../../kernel/schema/schema.ts';
import type { Scope } from '../../kernel/scopes.ts';
import type { KeySummary } from './schemas.ts';

type Summary = Static<typeof KeySummary>;

export interface NewKey {
  readonly id: string;
  readonly agentId: string;
  /** The secret; only its hash and its first characters are stored. */
  readonly apiKey: string;
  readonly kind: 'original' | 'scoped';
  readonly scopes: readonly Scope[];
  readonly label: string | null;
  readonly expiresAt: string | null;
  readonly now: string;
}

/** "stoa_" (or "stoa_admin_") and seven characters of what follows: enough to tell keys apart, 36 unknown ones remain. */
const prefixOf = (secret: string, kind: 'agent' | 'admin'): string =>
  secret.slice(0, prefixes[kind].length + 7);

const live = (now: string) =>
  sql`revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})`;

export const insert = (tx: Transaction, key: NewKey): void =>
  tx.send(sql`INSERT INTO api_keys (id, agent_id, secret_sha256, prefix, label, kind, scopes, created_at, expires_at)
    VALUES (${key.id}, ${key.agentId}, ${sha256(key.apiKey)}, ${prefixOf(key.apiKey, 'agent')}, ${key.label}, ${key.kind}, ${key.scopes}, ${key.now}, ${key.expiresAt})`);

/** Live keys, newest first; `callerId` is the key that asks. */
export const list = (db: Queryable, agentId: string, callerId: string, now: string) =>
  db.rows<Summary>(sql`SELECT id, prefix, label, kind, scopes, created_at AS "createdAt", last_used_at AS "lastUsedAt", id = ${callerId} AS current
    FROM api_keys WHERE agent_id = ${agentId} AND ${live(now)} ORDER BY created_at DESC, id DESC`);

export const countLive = async (db: Queryable, agentId: string, now: string): Promise<number> =>
  (
    await db.first<{ count: number }>(
      sql`SELECT count(*) FROM api_keys WHERE agent_id = ${agentId} AND ${live(now)}`,
    )
  )?.count ?? 0;

/** Whether a live key of the agent was revoked. */
export const revoke = async (
  tx: Transaction,
  id: string,
  agentId: string,
  now: string,
): Promise<boolean> =>
  (await tx.run(
    sql`UPDATE api_keys SET revoked_at = ${now} WHERE id = ${id} AND agent_id = ${agentId} AND ${live(now)}`,
  )) > 0;

/**
 * Revokes a key and writes another one with its kind, scopes, label and expiry. One statement, and the row of the old
 * key is its lock: of two rotations at once the second finds nothing to replace, and gets undefined.
 */
export const replace = (
  tx: Transaction,
  oldId: string,
  by: { readonly id: string; readonly apiKey: string; readonly now: string },
) =>
  tx.first<{ scopes: Scope[] }>(sql`WITH old AS (
      UPDATE api_keys SET revoked_at = ${by.now} WHERE id = ${oldId} AND ${live(by.now)} RETURNING agent_id, label, kind, scopes, expires_at)
    INSERT INTO api_keys (id, agent_id, secret_sha256, prefix, label, kind, scopes, created_at, expires_at)
    SELECT ${by.id}, agent_id, ${sha256(by.apiKey)}, ${prefixOf(by.apiKey, 'agent')}, label, kind, scopes, ${by.now}, expires_at FROM old RETURNING scopes`);

export interface AdminKeyRow {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly createdAt: string;
  readonly revokedAt: string | null;
}

export const insertAdminKey = (
  db: Queryable,
  key: { readonly id: string; readonly name: string; readonly key: string; readonly now: string },
) =>
  db.run(sql`INSERT INTO admin_keys (id, name, prefix, secret_sha256, created_at)
    VALUES (${key.id}, ${key.name}, ${prefixOf(key.key, 'admin')}, ${sha256(key.key)}, ${key.now})`);

export const listAdminKeys = (db: Queryable) =>
  db.rows<AdminKeyRow>(
    sql`SELECT id, name, prefix, created_at AS "createdAt", revoked_at AS "revokedAt" FROM admin_keys ORDER BY created_at DESC, id DESC`,
  );

/** Compared as text: what somebody typed may be no UUID. */
export const revokeAdminKey = (tx: Transaction, id: string, now: string) =>
  tx.first<{ id: string; name: string }>(
    sql`UPDATE admin_keys SET revoked_at = ${now} WHERE id::text = lower(${id}) AND revoked_at IS NULL RETURNING id, name`,
  );
