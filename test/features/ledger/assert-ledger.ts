import { auditLedger } from '../../../src/cli/ledger.ts';
import type { Connection } from '../../../src/db/connection.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql.ts';

/**
 * Fails unless the ledger of a database is consistent. Passes when it has no movements or a test
 * dropped its tables.
 */
export async function assertConsistentLedger(connection: Connection): Promise<void> {
  const db = openDatabase(connection, { connections: 1 });
  try {
    const used = await db
      .first(sql`SELECT 1 FROM ledger_transactions LIMIT 1`)
      .catch(() => undefined);
    if (!used) return;
    const wrong = (await auditLedger(db)).filter(({ differences }) => differences.length > 0);
    if (wrong.length > 0) throw new Error(`The ledger is wrong: ${JSON.stringify(wrong)}`);
  } finally {
    await db[Symbol.asyncDispose]();
  }
}
