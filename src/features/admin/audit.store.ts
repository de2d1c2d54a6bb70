import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { AuditEntry } from './schemas.ts';

/** An administrative act: who, what, when, why. */
export interface Act {
  readonly id: string;
  readonly administrator: { readonly id: string };
  /** What was done, in the past tense: "agent.blocked". */
  readonly action: string;
  readonly targetType: string;
  readonly targetId: string;
  readonly reason?: string | null | undefined;
  /** What the act set. */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly now: string;
}

/** Writes the act into the transaction that it belongs to. Nothing ever changes or deletes a row of this table. */
export const append = (tx: Transaction, act: Act): void =>
  tx.send(sql`INSERT INTO audit_log (id, administrator, action, target_type, target_id, reason, facts, created_at)
    VALUES (${act.id}, ${act.administrator.id}, ${act.action}, ${act.targetType}, ${act.targetId}, ${act.reason || null}, ${JSON.stringify(act.facts ?? {})}, ${act.now})`);

/** All acts, newest first. The page is cut before names are looked up. */
export const list = (db: Queryable, offset: number, limit: number) =>
  db.rows<AuditEntry>(sql`SELECT a.id, a.administrator, k.name AS "administratorName", a.action, a.target_type AS "targetType", a.target_id AS "targetId",
      a.reason, a.facts, a.created_at AS "createdAt"
    FROM (SELECT * FROM audit_log ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}) a
      LEFT JOIN admin_keys k ON k.id::text = a.administrator ORDER BY a.created_at DESC, a.id DESC`);
