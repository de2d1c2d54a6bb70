import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Manifest } from './manifest.ts';

/** Finds how the private keys that sign receipts and the log are stored. */
export async function findSigningKeys(db: Queryable): Promise<Manifest['signingKeys']> {
  const found = await db.first<{ keys: number; clear: number }>(sql`
    SELECT count(*) AS keys, count(*) FILTER (WHERE NOT sealed) AS clear
    FROM (
      SELECT sealed
      FROM signing_keys
      WHERE private_key IS NOT NULL
      UNION ALL
      SELECT sealed
      FROM log_state
    ) k
  `);
  if (!found || found.keys === 0) return null;
  return found.clear > 0 ? 'clear' : 'sealed';
}
