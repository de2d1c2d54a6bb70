import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { secretPrefixes, sha256 } from '../../kernel/crypto/credentials.ts';
import type { Scope } from '../../kernel/scopes.ts';
import type { KeySummary } from './schemas.ts';

/** An agent's key to insert. */
export interface NewApiKey {
  readonly id: string;
  readonly agentId: string;
  /** The secret; only its hash and its first characters are stored. */
  readonly apiKey: string;
  readonly kind: 'original' | 'scoped';
  readonly scopes: readonly Scope[];
  readonly label: string | null;
  readonly expiresAt: string | null;
  readonly now: string;
  /** The grant whose access token the key is. */
  readonly grantId?: string;
  /** The key that makes it. It ends with a scoped one, and with the grant of an access token. */
  readonly madeBy?: string;
}

/**
 * Returns the part of a secret that may be shown: "stoa_" or "stoa_admin_" and the next seven
 * characters. They are enough to tell keys apart, and 36 characters remain unknown.
 */
export const getPrefix = (secret: string, kind: 'agent' | 'admin'): string =>
  secret.slice(0, secretPrefixes[kind].length + 7);

/** The SQL condition that a key is neither revoked nor expired. */
const liveKeys = (now: string) =>
  sql`revoked_at IS NULL AND coalesce(expires_at, 'infinity'::timestamptz) > ${now}`;

/**
 * The SQL condition that a key can be revoked: it is live, or an expired access token that its
 * client can still refresh.
 */
const endableKeys = (now: string) =>
  sql`
    revoked_at IS NULL AND (
      expires_at IS NULL OR expires_at > ${now} OR EXISTS (
        SELECT 1
        FROM sign_in_grants g
        WHERE g.token_key_id = api_keys.id AND g.ended_at IS NULL AND g.refresh_expires_at > ${now}
      )
    )
  `;

/** The same condition for the keys of an agent. It visits no key that expired for good. */
const endableKeysOfAgent = (agentId: string, now: string) => sql`
  revoked_at IS NULL AND id = ANY(
    ARRAY(
      SELECT id
      FROM api_keys
      WHERE agent_id = ${agentId} AND ${liveKeys(now)}
      UNION ALL
      SELECT token_key_id
      FROM sign_in_grants
      WHERE agent_id = ${agentId} AND ended_at IS NULL AND refresh_expires_at > ${now}
        AND token_key_id IS NOT NULL
    )
  )
`;

/** Inserts a key. */
export const insert = (tx: Transaction, key: NewApiKey): void =>
  tx.send(sql`
    INSERT INTO api_keys (
      id, agent_id, secret_sha256, prefix, label, kind, scopes, created_at, expires_at, made_by,
      grant_id
    )
    VALUES (
      ${key.id}, ${key.agentId}, ${sha256(key.apiKey)}, ${getPrefix(key.apiKey, 'agent')},
      ${key.label}, ${key.kind}, ${key.scopes}, ${key.now}, ${key.expiresAt},
      ${key.madeBy ?? null},
      coalesce(
        ${key.grantId ?? null}::uuid,
        (SELECT grant_id FROM api_keys WHERE id = ${key.madeBy ?? null}::uuid)
      )
    )
  `);

/**
 * Lists an agent's keys that can be revoked, newest first. `callerId` is the id of the calling key.
 */
export const list = (db: Queryable, agentId: string, callerId: string, now: string) =>
  db.rows<KeySummary>(sql`
    SELECT id, prefix, label, kind, scopes, created_at AS "createdAt", last_used_at AS "lastUsedAt",
      expires_at AS "expiresAt", id = ${callerId} AS current
    FROM api_keys
    WHERE ${endableKeysOfAgent(agentId, now)}
    ORDER BY created_at DESC, id DESC
  `);

/** Returns whether a key is live. */
export const isLive = async (db: Queryable, id: string, now: string): Promise<boolean> =>
  (await db.run(sql`SELECT 1 FROM api_keys WHERE id = ${id} AND ${liveKeys(now)}`)) > 0;

/** Counts the live keys of an agent without those that clients got by signing in. */
export const countLive = async (db: Queryable, agentId: string, now: string): Promise<number> =>
  (
    await db.first<{ count: number }>(sql`
      SELECT count(*)
      FROM api_keys
      WHERE agent_id = ${agentId} AND ${liveKeys(now)}
        AND NOT EXISTS (SELECT 1 FROM sign_in_grants g WHERE g.token_key_id = api_keys.id)
    `)
  )?.count ?? 0;

/** Revokes a key of an agent. Returns whether there was one with this id. */
export const revoke = async (
  tx: Transaction,
  id: string,
  agentId: string,
  now: string,
): Promise<boolean> =>
  (await tx.run(sql`
    UPDATE api_keys
    SET revoked_at = ${now}
    WHERE id = ${id} AND agent_id = ${agentId} AND ${endableKeys(now)}
  `)) > 0;

/** Revokes all keys of an agent. */
export const revokeAll = (tx: Transaction, agentId: string, now: string) =>
  tx.run(sql`
    UPDATE api_keys
    SET revoked_at = ${now}
    WHERE ${endableKeysOfAgent(agentId, now)}
  `);

/**
 * Revokes a key and inserts another one with its kind, scopes, label and expiry. Returns the
 * scopes, or undefined when the old key is no longer live. It is one statement that locks the row
 * of the old key, so the second of two concurrent rotations finds nothing to replace. An access
 * token that is replaced stays that of its grant, and ends with it. So does a key stay that of the
 * key that made it. What a scoped key made ends with the old secret, by a trigger.
 */
export const replace = (
  tx: Transaction,
  oldId: string,
  { id, apiKey, now }: { readonly id: string; readonly apiKey: string; readonly now: string },
) =>
  tx.first<{ scopes: Scope[] }>(sql`
    WITH old AS (
      UPDATE api_keys
      SET revoked_at = ${now}
      WHERE id = ${oldId} AND ${liveKeys(now)}
      RETURNING agent_id, label, kind, scopes, expires_at, grant_id, made_by
    ),
      moved AS (
        UPDATE sign_in_grants
        SET token_key_id = ${id}
        WHERE token_key_id = ${oldId} AND EXISTS (SELECT 1 FROM old)
      )
    INSERT INTO api_keys (
      id, agent_id, secret_sha256, prefix, label, kind, scopes, created_at, expires_at, grant_id,
      made_by
    )
    SELECT ${id}, agent_id, ${sha256(apiKey)}, ${getPrefix(apiKey, 'agent')}, label, kind, scopes,
      ${now}, expires_at, grant_id, made_by
    FROM old
    RETURNING scopes
  `);

/** Finds the kind of an agent's key in any state; undefined if the agent has no such key. */
export const findKind = async (
  db: Queryable,
  id: string,
  agentId: string,
): Promise<KeySummary['kind'] | undefined> =>
  (
    await db.first<{ kind: KeySummary['kind'] }>(sql`
      SELECT kind
      FROM api_keys
      WHERE id = ${id} AND agent_id = ${agentId}
    `)
  )?.kind;
