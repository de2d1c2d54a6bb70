import type { Queryable } from '../../db/database.ts';
import { type Sql, sql, unnestRows } from '../../db/sql.ts';
import type { Scope } from '../scopes.ts';

/**
 * The identity of an idempotent call: the owner of the idempotency key, the operation, and the key.
 */
export interface RecordKey {
  readonly scope: string;
  readonly operation: string;
  readonly key: string;
}

/**
 * The stored answer of an idempotent call. `sealedFor` names the credential that opens `response`;
 * if it is null, `response` is not sealed.
 */
export interface StoredRecord {
  readonly fingerprint: Buffer;
  readonly sealedFor: string | null;
  readonly response: Buffer;
  readonly recordedAt: string;
}

interface KeyRow {
  readonly keyId: string;
  readonly kind: 'original' | 'scoped';
  readonly scopes: Scope[];
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly agentId: string;
  readonly handle: string;
  readonly blocked: boolean;
  readonly createdAt: string;
  readonly lastActiveOn: string;
}

interface KeyQuery {
  readonly secretSha256: Buffer;
  readonly operation: string | null;
  readonly idempotencyKey: string | null;
}

/**
 * Selects keys by their hashes. Each key costs one index probe, whatever size the tables had when
 * PostgreSQL made the plan.
 */
function findKeys(queries: readonly KeyQuery[]): Sql {
  return sql`
    SELECT q.nr, k.*, i.*
    FROM ${unnestRows(queries, [
      ['bytea', ({ secretSha256 }) => secretSha256],
      ['text', ({ operation }) => operation],
      ['text', ({ idempotencyKey }) => idempotencyKey],
    ])} WITH ORDINALITY AS q (secret, operation, key, nr)
    CROSS JOIN LATERAL (
      SELECT k.id AS "keyId", k.kind, k.scopes, k.expires_at AS "expiresAt",
        k.revoked_at AS "revokedAt", k.last_used_at AS "lastUsedAt", a.id AS "agentId", a.handle,
        a.blocked, a.created_at AS "createdAt", a.last_active_on AS "lastActiveOn"
      FROM api_keys k
      JOIN agents a ON a.id = k.agent_id
      WHERE k.secret_sha256 = q.secret
      LIMIT 1
    ) k
    LEFT JOIN LATERAL (
      SELECT i.fingerprint, i.sealed_for AS "sealedFor", i.response, i.created_at AS "recordedAt"
      FROM idempotency_records i
      WHERE i.scope = 'agent:' || k."agentId" AND i.operation = q.operation AND i.key = q.key
      LIMIT 1
    ) i
      ON true
  `;
}

/**
 * Finds a key by its hash, in any state. The same round trip finds the idempotency record of the
 * call, if there is one.
 */
export async function findKey(
  db: Queryable,
  secretSha256: Buffer,
  call: { readonly operation: string; readonly idempotencyKey: string } | null,
): Promise<(KeyRow & Partial<StoredRecord>) | undefined> {
  const query = {
    secretSha256,
    operation: call?.operation ?? null,
    idempotencyKey: call?.idempotencyKey ?? null,
  };
  return (await db.load<KeyRow & Partial<StoredRecord>, KeyQuery>(findKeys, query))[0];
}

/** Whether the key that replaced this one at that moment, by a rotation, has been used since. */
export const isReplacementUsed = async (
  db: Queryable,
  agentId: string,
  keyId: string,
  rotatedAt: string,
): Promise<boolean> =>
  (await db.first(sql`
    SELECT 1
    FROM api_keys old
    JOIN api_keys new ON new.agent_id = old.agent_id AND new.kind = old.kind
    WHERE old.id = ${keyId} AND old.agent_id = ${agentId}
      AND new.id <> old.id AND new.created_at = ${rotatedAt} AND new.last_used_at IS NOT NULL
    LIMIT 1
  `)) !== undefined;

/** Finds the state of a capability; undefined when the agent has never activated it. */
export const findCapabilityState = (db: Queryable, agentId: string, capability: string) =>
  db.first<{ state: 'active' | 'revoked' }>(sql`
    SELECT state
    FROM capability_states
    WHERE agent_id = ${agentId} AND capability = ${capability}
  `);

/** Finds the administrator with an active key by the hash of the key. */
export const findAdministrator = (db: Queryable, secretSha256: Buffer) =>
  db.first<{ id: string; name: string }>(sql`
    SELECT id, name
    FROM admin_keys
    WHERE secret_sha256 = ${secretSha256} AND revoked_at IS NULL
  `);
