import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Attempt, Hook, KnownHook } from './rules.ts';

const columns = sql`w.agent_id AS "agentId", w.id, w.url, w.host, w.sealed_secret AS "sealedSecret", w.key_id AS "keyId", w.state, w.last_error AS "lastError",
  w.cursor, w.delivery_id AS "deliveryId", w.delivery_created_at AS "deliveryCreatedAt", w.delivery_head AS "deliveryHead", w.attempts, w.due_at AS "dueAt",
  w.leased_until AS "leasedUntil", w.generation, w.created_at AS "createdAt", w.verified_at AS "verifiedAt", w.last_delivered_at AS "lastDeliveredAt"`;

/** Whether the credential that configured a hook works: what a call with it would be asked. */
const alive = (
  now: string,
): Sql => sql`(SELECT k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${now}) AND 'forum' = ANY(k.scopes) AND NOT a.blocked
  FROM api_keys k JOIN agents a ON a.id = k.agent_id WHERE k.id = w.key_id) AS alive`;

export const find = (db: Queryable, agentId: string, now: string) =>
  db.first<KnownHook>(
    sql`SELECT ${columns}, ${alive(now)} FROM webhooks w WHERE w.agent_id = ${agentId}`,
  );

/** The same, held until the transaction ends. */
export const lock = (tx: Transaction, agentId: string, now: string) =>
  tx.first<KnownHook>(
    sql`SELECT ${columns}, ${alive(now)} FROM webhooks w WHERE w.agent_id = ${agentId} FOR UPDATE OF w`,
  );

/** Whether a key still works; until the transaction ends nobody revokes it. */
export const holdKey = async (tx: Transaction, keyId: string): Promise<boolean> =>
  (await tx.run(sql`SELECT 1 FROM api_keys WHERE id = ${keyId} AND revoked_at IS NULL FOR SHARE`)) >
  0;

/** Writes a configuration in the place of the one before. */
export const configure = (tx: Transaction, hook: Hook): void =>
  tx.send(sql`INSERT INTO webhooks AS w (agent_id, id, url, host, sealed_secret, key_id, state, cursor, created_at)
    VALUES (${hook.agentId}, ${hook.id}, ${hook.url}, ${hook.host}, ${hook.sealedSecret}, ${hook.keyId}, ${hook.state}, ${hook.cursor}, ${hook.createdAt})
    ON CONFLICT (agent_id) DO UPDATE SET id = excluded.id, url = excluded.url, host = excluded.host, sealed_secret = excluded.sealed_secret,
      key_id = excluded.key_id, state = excluded.state, last_error = NULL, cursor = excluded.cursor, delivery_id = NULL, delivery_created_at = NULL,
      delivery_head = NULL, attempts = 0, due_at = NULL, leased_until = NULL, generation = 0, created_at = excluded.created_at, verified_at = NULL,
      last_delivered_at = NULL`);

/** The id of the hook that was removed, if there was one. */
export const remove = async (tx: Transaction, agentId: string): Promise<string | undefined> =>
  (
    await tx.first<{ id: string }>(
      sql`DELETE FROM webhooks WHERE agent_id = ${agentId} RETURNING id`,
    )
  )?.id;

/** Writes what changes about hooks that the transaction holds. */
export const save = (tx: Transaction, hooks: readonly Hook[]): void =>
  tx.send(sql`UPDATE webhooks w SET state = h.state, last_error = h."lastError", cursor = h.cursor, delivery_id = h."deliveryId",
      delivery_created_at = h."deliveryCreatedAt", delivery_head = h."deliveryHead", attempts = h.attempts, due_at = h."dueAt",
      leased_until = h."leasedUntil", generation = h.generation, verified_at = h."verifiedAt", last_delivered_at = h."lastDeliveredAt"
    FROM jsonb_to_recordset(${JSON.stringify(hooks.map(({ sealedSecret: _, ...hook }) => hook))}::jsonb) AS h ("agentId" uuid, state text, "lastError" text,
      cursor bigint, "deliveryId" uuid, "deliveryCreatedAt" timestamptz, "deliveryHead" bigint, attempts int, "dueAt" timestamptz,
      "leasedUntil" timestamptz, generation int, "verifiedAt" timestamptz, "lastDeliveredAt" timestamptz)
    WHERE w.agent_id = h."agentId" AND w.agent_id = ANY(${hooks.map(({ agentId }) => agentId)}::uuid[])`);

/** Something arrived for these agents: those with a hook that waits for nothing yet are due at `dueAt`. */
export const markArrived = (db: Queryable, agentIds: readonly string[], dueAt: string) =>
  db.run(
    sql`UPDATE webhooks SET due_at = ${dueAt} WHERE agent_id = ANY(${agentIds}::uuid[]) AND state = 'active' AND due_at IS NULL`,
  );

/** The same for all hooks whose agents have events that nobody told of: each one probe of an index. At most `limit` of them. */
export const markMissed = (db: Queryable, dueAt: string, limit: number) =>
  db.run(sql`UPDATE webhooks SET due_at = ${dueAt} WHERE state = 'active' AND due_at IS NULL AND agent_id = ANY(ARRAY(
    SELECT w.agent_id FROM webhooks w CROSS JOIN LATERAL (SELECT 1 FROM event_heads h WHERE h.agent_id = w.agent_id AND h.head > w.cursor LIMIT 1) h
    WHERE w.state = 'active' AND w.due_at IS NULL LIMIT ${limit}))`);

const due = (now: string): Sql =>
  sql`w.due_at <= ${now} AND (w.leased_until IS NULL OR w.leased_until <= ${now})`;

/** What is due and not being sent, longest due first. */
export const listDue = (
  db: Queryable,
  now: string,
  without: { readonly hosts: readonly string[]; readonly failing: boolean },
  limit: number,
) =>
  db.rows<Attempt>(sql`SELECT w.agent_id AS "agentId", w.host, w.attempts FROM webhooks w
    WHERE ${due(now)} AND w.host <> ALL(${without.hosts}::text[]) AND NOT (${without.failing}::bool AND w.attempts > 0) ORDER BY w.due_at LIMIT ${limit}`);

/** Those of these hooks that are still due, held; what another process holds is its own. */
export const lockDue = (tx: Transaction, agentIds: readonly string[], now: string) =>
  tx.rows<KnownHook>(sql`SELECT ${columns}, ${alive(now)} FROM webhooks w WHERE w.agent_id = ANY(${agentIds}::uuid[]) AND ${due(now)}
    ORDER BY w.agent_id FOR UPDATE OF w SKIP LOCKED`);

/** Hooks, held, with the newest events of their agents. */
export const lockSent = (tx: Transaction, agentIds: readonly string[]) =>
  tx.rows<
    Hook & { readonly head: number }
  >(sql`SELECT ${columns}, (SELECT h.head FROM event_heads h WHERE h.agent_id = w.agent_id) AS head
    FROM webhooks w WHERE w.agent_id = ANY(${agentIds}::uuid[]) ORDER BY w.agent_id FOR UPDATE OF w`);

/** Times of the newest challenges since then, newest first. */
export const verificationsSince = (
  tx: Transaction,
  agentId: string,
  since: string,
  limit: number,
) =>
  tx.rows<{ at: string }>(
    sql`SELECT at FROM webhook_verifications WHERE agent_id = ${agentId} AND at > ${since} ORDER BY at DESC LIMIT ${limit}`,
  );

/** Counts a challenge, and forgets those of this agent that count no more. */
export function insertVerification(
  tx: Transaction,
  id: string,
  agentId: string,
  now: string,
  since: string,
): void {
  tx.send(sql`DELETE FROM webhook_verifications WHERE agent_id = ${agentId} AND at <= ${since}`);
  tx.send(
    sql`INSERT INTO webhook_verifications (id, agent_id, at) VALUES (${id}, ${agentId}, ${now})`,
  );
}

/** Hooks with something to tell, and since when the oldest notification among them is owed. */
export const countWaiting = async (
  db: Queryable,
): Promise<{ waiting: number; oldest: string | null }> =>
  (await db.first(
    sql`SELECT count(*) AS waiting, min(delivery_created_at) AS oldest FROM webhooks WHERE due_at IS NOT NULL`,
  )) as {
    waiting: number;
    oldest: string | null;
  };

export const listSecrets = (db: Queryable, after: string | null, limit: number) =>
  db.rows<
    Pick<Hook, 'agentId' | 'sealedSecret'>
  >(sql`SELECT agent_id AS "agentId", sealed_secret AS "sealedSecret" FROM webhooks
    WHERE ${after}::uuid IS NULL OR agent_id > ${after}::uuid ORDER BY agent_id LIMIT ${limit}`);
