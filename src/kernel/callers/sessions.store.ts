import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/**
 * Returns the secret that sessions are encrypted under. A migration inserted its only row.
 * Errors: throws when somebody deleted that row.
 */
export async function getSecret(db: Queryable): Promise<Buffer> {
  const row = await db.first<{ secret: Buffer }>(sql`SELECT secret FROM session_secret`);
  if (!row) throw new Error('The table session_secret is empty: restore its row from a backup.');
  return row.secret;
}
