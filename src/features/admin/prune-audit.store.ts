import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Rows that one transaction deletes. Meanwhile no act can be added. */
const ROWS = 10_000;

/**
 * Deletes the oldest entries before a moment, as the owner of the tables: nobody else can. The
 * trigger that refuses it, and the owner's missing right, are back when the transaction ends,
 * whatever it ends with. Returns how many entries it deleted, and whether there may be more.
 */
export async function deleteAuditBefore(
  tx: Transaction,
  before: string,
): Promise<{ readonly deleted: number; readonly hasMore: boolean }> {
  tx.send(sql`ALTER TABLE audit_log DISABLE TRIGGER append_only`);
  tx.send(sql`GRANT DELETE ON audit_log TO CURRENT_USER`);
  const deleted = await tx.run(sql`
    DELETE FROM audit_log
    WHERE ctid = ANY(
      ARRAY(
        SELECT ctid
        FROM audit_log
        WHERE created_at < ${before}
        ORDER BY created_at
        LIMIT ${ROWS}
      )
    )
  `);
  tx.send(sql`REVOKE DELETE ON audit_log FROM CURRENT_USER`);
  tx.send(sql`ALTER TABLE audit_log ENABLE ALWAYS TRIGGER append_only`);
  return { deleted, hasMore: deleted === ROWS };
}
