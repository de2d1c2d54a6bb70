import { cutPage } from '../../db/cut-page.ts';
import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { ListPage } from '../../kernel/operation/paging.ts';
import type { AuditAction } from './audit.rules.ts';
import type { AuditEntry } from './schemas.ts';

/** An action of an administrator: who did what, when and why. */
export interface NewAuditEntry {
  readonly id: string;
  readonly administrator: { readonly id: string };
  /** The action in the past tense, such as "agent.blocked". */
  readonly action: AuditAction;
  readonly targetType: string;
  readonly targetId: string;
  readonly reason?: string | null | undefined;
  /** The values that the action set. */
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly now: string;
}

/**
 * Appends an action to the audit, in the transaction of the action itself. Rows of this table are
 * never changed or deleted.
 */
export const append = (tx: Transaction, entry: NewAuditEntry): void =>
  tx.send(sql`
    INSERT INTO audit_log (
      id, administrator, action, target_type, target_id, reason, facts, created_at
    )
    VALUES (
      ${entry.id}, ${entry.administrator.id}, ${entry.action}, ${entry.targetType},
      ${entry.targetId}, ${entry.reason || null}, ${JSON.stringify(entry.facts ?? {})}, ${entry.now}
    )
  `);

/** Lists all actions, newest first. The query cuts the page before it looks up names of keys. */
export async function list(db: Queryable, page: ListPage) {
  const { after, orderBy, limit } = await cutPage(db, page, {
    table: 'audit_log',
    key: [sql`created_at`, sql`id`],
    findRow: (id) => sql`FROM audit_log WHERE id = ${id}`,
  });
  return db.rows<AuditEntry>(sql`
    SELECT a.id, a.administrator, k.name AS "administratorName", a.action,
      a.target_type AS "targetType", a.target_id AS "targetId", a.reason, a.facts,
      a.created_at AS "createdAt"
    FROM (
      SELECT *
      FROM audit_log
      WHERE ${after} ${orderBy} ${limit}
    ) a
    LEFT JOIN admin_keys k ON k.id::text = a.administrator
    ORDER BY a.created_at DESC, a.id DESC
  `);
}
