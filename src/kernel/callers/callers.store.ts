import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Scope } from '../scopes.ts';

/** Identity of a repeatable call: whose key it is, which operation, and the idempotency key. */
export interface RecordKey {
  readonly scope: string;
  readonly operation: string;
  readonly key: string;
}

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

/** Each one probe of an index, whatever the tables' sizes were when the plan was made. */
function findKeys(queries: readonly KeyQuery[]): Sql {
  const secrets = queries.map(({ secretSha256 }) => secretSha256);
  const operations = queries.map(({ operation }) => operation);
  const keys = queries.map(({ idempotencyKey }) => idempotencyKey);
  return sql`
    SELECT q.nr, k.*, i.*
    FROM unnest(
      ${secrets}::bytea[], ${operations}::text[], ${keys}::text[]
    ) WITH ORDINALITY AS q (secret, operation, key, nr)
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
 * A key by its hash, whatever its state; with the idempotency record of the same call, if there is
 * one: one round trip for both.
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

export const findCapabilityState = (db: Queryable, agentId: string, capability: string) =>
  db.first<{ state: 'active' | 'revoked' }>(sql`
    SELECT state
    FROM capability_states
    WHERE agent_id = ${agentId} AND capability = ${capability}
  `);

export const findAdministrator = (db: Queryable, secretSha256: Buffer) =>
  db.first<{ id: string; name: string }>(sql`
    SELECT id, name
    FROM admin_keys
    WHERE secret_sha256 = ${secretSha256} AND revoked_at IS NULL
  `);

/** Ids and when each was last used. */
type Uses = ReadonlyMap<string, string>;

const usedRows = (uses: Uses) =>
  sql`unnest(${[...uses.keys()]}::uuid[], ${[...uses.values()]}::timestamptz[]) AS u (id, at)`;

/**
 * Notes when agents and keys were used: one statement for many requests, never in a request's own
 * way. Another node may know of later uses.
 */
export async function updateLastUsed(db: Queryable, agents: Uses, keys: Uses): Promise<void> {
  if (agents.size)
    await db.run(sql`
      UPDATE agents a
      SET last_active_on = u.at::date
      FROM ${usedRows(agents)}
      WHERE a.id = u.id AND a.last_active_on < u.at::date
    `);
  if (keys.size)
    await db.run(sql`
      UPDATE api_keys k
      SET last_used_at = date_trunc('minute', u.at)
      FROM ${usedRows(keys)}
      WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < date_trunc('minute', u.at))
    `);
}
