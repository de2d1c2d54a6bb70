import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/**
 * Returns the SHA-256 of messages, files and the content of receipts by their ids, in lowercase hex
 * digits. It does not check access.
 */
export async function findDigests(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<{ id: string; sha256: string }>(sql`
    SELECT id, encode(body_sha256, 'hex') AS sha256
    FROM messages
    WHERE id = ANY(${ids}::uuid[])
    UNION ALL
    SELECT id, encode(sha256, 'hex')
    FROM files
    WHERE id = ANY(${ids}::uuid[])
    UNION ALL
    SELECT id, encode(content_sha256, 'hex')
    FROM portable_events
    WHERE id = ANY(${ids}::uuid[])
  `);
  return new Map(rows.map(({ id, sha256 }) => [id, sha256]));
}
