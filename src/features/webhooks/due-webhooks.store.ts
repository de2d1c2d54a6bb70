import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { CheckedHook, Hook } from './rules.ts';
import type { DeliveryAttempt } from './sender-load.rules.ts';
import { aliveColumn, columns } from './store.ts';

/** Marks the hooks of agents with new events as due at `dueAt`, unless they are due already. */
export const markArrived = (db: Queryable, agentIds: readonly string[], dueAt: string) =>
  db.run(sql`
    UPDATE webhooks
    SET due_at = ${dueAt}
    WHERE agent_id = ANY(${agentIds}::uuid[]) AND state = 'active' AND due_at IS NULL
  `);

/**
 * Marks up to `limit` hooks as due whose agents have events that were not announced, and returns
 * how many. Each hook costs one probe of an index.
 */
export const markMissed = (db: Queryable, dueAt: string, limit: number) =>
  db.run(sql`
    UPDATE webhooks
    SET due_at = ${dueAt}
    WHERE state = 'active'
      AND due_at IS NULL
      AND agent_id = ANY(
        ARRAY(
          SELECT w.agent_id
          FROM webhooks w
          CROSS JOIN LATERAL (
            SELECT 1
            FROM event_heads h
            WHERE h.agent_id = w.agent_id AND h.head > w.cursor
            LIMIT 1
          ) h
          WHERE w.state = 'active' AND w.due_at IS NULL
          LIMIT ${limit}
        )
      )
  `);

const isDue = (now: string): Sql =>
  sql`w.due_at <= ${now} AND (w.leased_until IS NULL OR w.leased_until <= ${now})`;

/** Which due hooks are left out. */
export interface LeftOut {
  readonly hosts: readonly string[];
  /** Domains with all hosts below them. */
  readonly sites: readonly string[];
  /** Whether those whose last attempt failed are left out. */
  readonly failing: boolean;
}

/** Returns hooks that are due and not leased, the longest due first, `without` some of them. */
export const listDue = (db: Queryable, now: string, without: LeftOut, limit: number) =>
  db.rows<DeliveryAttempt>(sql`
    SELECT w.agent_id AS "agentId", w.host, w.attempts
    FROM webhooks w
    WHERE ${isDue(now)}
      AND w.host <> ALL(${[...without.hosts, ...without.sites]}::text[])
      AND w.host NOT LIKE ALL(${without.sites.map((site) => `%.${site}`)}::text[])
      AND NOT (${without.failing}::bool AND w.attempts > 0)
    ORDER BY w.due_at
    LIMIT ${limit}
  `);

/**
 * Locks those of these hooks that are still due, and skips those that another process has locked.
 */
export const lockDue = (tx: Transaction, agentIds: readonly string[], now: string) =>
  tx.rows<CheckedHook>(sql`
    SELECT ${columns}, ${aliveColumn(now)}
    FROM webhooks w
    WHERE w.agent_id = ANY(${agentIds}::uuid[]) AND ${isDue(now)}
    ORDER BY w.agent_id
    FOR UPDATE OF w SKIP LOCKED
  `);

/** Locks hooks and returns them with the newest event of each agent. */
export const lockWithHeads = (tx: Transaction, agentIds: readonly string[]) =>
  tx.rows<Hook & { readonly head: number }>(sql`
    SELECT ${columns}, (SELECT h.head FROM event_heads h WHERE h.agent_id = w.agent_id) AS head
    FROM webhooks w
    WHERE w.agent_id = ANY(${agentIds}::uuid[])
    ORDER BY w.agent_id
    FOR UPDATE OF w
  `);

interface WaitingHooks {
  readonly waiting: number;
  readonly oldest: string | null;
}

/** Counts hooks for which a hint is due, and returns since when the oldest notification is owed. */
export const countWaiting = async (db: Queryable): Promise<WaitingHooks> =>
  (await db.first<WaitingHooks>(sql`
    SELECT count(*) AS waiting, min(delivery_created_at) AS oldest
    FROM webhooks
    WHERE due_at IS NOT NULL
  `)) ?? { waiting: 0, oldest: null };
