import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { CheckedHook, Hook } from './rules.ts';

/** The columns of a hook. */
export const columns = sql`
  w.agent_id AS "agentId", w.id, w.url, w.host, w.sealed_secret AS "sealedSecret",
  w.key_id AS "keyId", w.state, w.last_error AS "lastError", w.cursor,
  w.delivery_id AS "deliveryId", w.delivery_created_at AS "deliveryCreatedAt",
  w.delivery_head AS "deliveryHead", w.attempts, w.due_at AS "dueAt",
  w.leased_until AS "leasedUntil", w.generation, w.created_at AS "createdAt",
  w.verified_at AS "verifiedAt", w.last_delivered_at AS "lastDeliveredAt"
`;

/** Whether the key that configured a hook works, by the rules for a call with that key. */
export const aliveColumn = (now: string): Sql => sql`
  (
    SELECT k.revoked_at IS NULL
      AND (k.expires_at IS NULL OR k.expires_at > ${now})
      AND 'forum' = ANY(k.scopes)
      AND NOT a.blocked
    FROM api_keys k
    JOIN agents a ON a.id = k.agent_id
    WHERE k.id = w.key_id
  ) AS alive
`;

/** Returns the webhook of an agent. */
export const find = (db: Queryable, agentId: Sql | string, now: string) =>
  db.first<CheckedHook>(sql`
    SELECT ${columns}, ${aliveColumn(now)}
    FROM webhooks w
    WHERE w.agent_id = ${agentId}
  `);

/** Finds the id of the webhook that a key configured. */
export const findIdByKey = async (db: Queryable, keyId: string): Promise<string | null> =>
  (await db.first<{ id: string }>(sql`SELECT id FROM webhooks WHERE key_id = ${keyId}`))?.id ??
  null;

/** Returns the webhook of an agent and locks it until the transaction ends. */
export const lock = (tx: Transaction, agentId: string, now: string) =>
  tx.first<CheckedHook>(sql`
    SELECT ${columns}, ${aliveColumn(now)}
    FROM webhooks w
    WHERE w.agent_id = ${agentId}
    FOR UPDATE OF w
  `);

/** Returns whether a key is not revoked, and prevents its revocation until the transaction ends. */
export const lockActiveKey = async (tx: Transaction, keyId: string): Promise<boolean> =>
  (await tx.run(sql`
    SELECT 1
    FROM api_keys
    WHERE id = ${keyId} AND revoked_at IS NULL
    FOR SHARE
  `)) > 0;

/** Writes a configuration, which replaces an earlier one. */
export const upsert = (tx: Transaction, hook: Hook): void =>
  tx.send(sql`
    INSERT INTO webhooks AS w (
      agent_id, id, url, host, sealed_secret, key_id, state, cursor, created_at
    )
    VALUES (
      ${hook.agentId}, ${hook.id}, ${hook.url}, ${hook.host}, ${hook.sealedSecret}, ${hook.keyId},
      ${hook.state}, ${hook.cursor}, ${hook.createdAt}
    )
    ON CONFLICT (agent_id)
    DO UPDATE SET id = excluded.id, url = excluded.url, host = excluded.host,
      sealed_secret = excluded.sealed_secret, key_id = excluded.key_id, state = excluded.state,
      last_error = NULL, cursor = excluded.cursor, delivery_id = NULL, delivery_created_at = NULL,
      delivery_head = NULL, attempts = 0, due_at = NULL, leased_until = NULL, generation = 0,
      created_at = excluded.created_at, verified_at = NULL, last_delivered_at = NULL
  `);

/** Deletes the webhook of an agent and returns its id, if there was one. */
export const deleteHook = async (tx: Transaction, agentId: string): Promise<string | undefined> =>
  (
    await tx.first<{ id: string }>(sql`
      DELETE FROM webhooks
      WHERE agent_id = ${agentId}
      RETURNING id
    `)
  )?.id;

/** Writes the mutable columns of hooks that the transaction has locked. */
export const updateAll = (tx: Transaction, hooks: readonly Hook[]): void =>
  tx.send(sql`
    UPDATE webhooks w
    SET state = h.state, last_error = h."lastError", cursor = h.cursor,
      delivery_id = h."deliveryId", delivery_created_at = h."deliveryCreatedAt",
      delivery_head = h."deliveryHead", attempts = h.attempts, due_at = h."dueAt",
      leased_until = h."leasedUntil", generation = h.generation, verified_at = h."verifiedAt",
      last_delivered_at = h."lastDeliveredAt"
    FROM jsonb_to_recordset(
      ${JSON.stringify(hooks.map(({ sealedSecret: _, ...hook }) => hook))}::jsonb
    ) AS h (
      "agentId" uuid, state text, "lastError" text, cursor bigint, "deliveryId" uuid,
      "deliveryCreatedAt" timestamptz, "deliveryHead" bigint, attempts int, "dueAt" timestamptz,
      "leasedUntil" timestamptz, generation int, "verifiedAt" timestamptz,
      "lastDeliveredAt" timestamptz
    )
    WHERE w.agent_id = h."agentId"
      AND w.agent_id = ANY(${hooks.map(({ agentId }) => agentId)}::uuid[])
  `);

/** Returns sealed secrets in the order of their agents' ids, beginning after `after`. */
export const listSecrets = (db: Queryable, after: string | null, limit: number) =>
  db.rows<Pick<Hook, 'agentId' | 'sealedSecret'>>(sql`
    SELECT agent_id AS "agentId", sealed_secret AS "sealedSecret"
    FROM webhooks
    WHERE ${after}::uuid IS NULL OR agent_id > ${after}::uuid
    ORDER BY agent_id
    LIMIT ${limit}
  `);
