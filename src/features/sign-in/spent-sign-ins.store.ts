import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** Refresh tokens, grants and access tokens that one run of the job deletes, of each kind. */
const MAX_DELETED = 10_000;

/** Whether no token can come from the grant `g` since a time. */
const isSpent = (before: string): Sql =>
  sql`g.token_key_id IS NOT NULL AND least(g.ended_at, g.refresh_expires_at) < ${before}`;

/** Deletes refresh tokens that expired, and those of grants that ended. */
async function deleteRefreshes(db: Queryable, before: string): Promise<void> {
  const found = [
    sql`SELECT secret_sha256 FROM sign_in_refreshes WHERE expires_at < ${before}`,
    sql`
      SELECT r.secret_sha256
      FROM sign_in_grants g
      JOIN sign_in_refreshes r ON r.grant_id = g.id
      WHERE ${isSpent(before)}
    `,
  ];
  for (const select of found)
    await db.run(sql`
      DELETE FROM sign_in_refreshes
      WHERE secret_sha256 = ANY(ARRAY(${select} LIMIT ${MAX_DELETED}))
    `);
}

/** Whether something outside of the grant of the key `k` refers to it. */
const isKeyKept = sql`(
  EXISTS (SELECT 1 FROM sign_in_grants c WHERE c.key_id = k.id)
  OR EXISTS (SELECT 1 FROM webhooks w WHERE w.key_id = k.id)
  OR EXISTS (
    SELECT 1 FROM api_keys made
    WHERE made.made_by = k.id AND made.grant_id IS DISTINCT FROM k.grant_id
  )
)`;

/**
 * Deletes grants that ended or expired, each with its last key. The others, and the refresh tokens,
 * were deleted before. One of which a key still works, or is kept, stays.
 */
const deleteEnded = (db: Queryable, before: string): Promise<number> =>
  db.run(sql`
    WITH spent AS (
      SELECT g.id
      FROM sign_in_grants g
      WHERE ${isSpent(before)}
        AND NOT EXISTS (SELECT 1 FROM sign_in_refreshes r WHERE r.grant_id = g.id)
        AND NOT EXISTS (
          SELECT 1 FROM api_keys other WHERE other.grant_id = g.id AND other.id <> g.token_key_id
        )
        AND NOT EXISTS (
          SELECT 1
          FROM api_keys k
          WHERE k.id = g.token_key_id
            AND (coalesce(least(k.revoked_at, k.expires_at) >= ${before}, true) OR ${isKeyKept})
        )
      ORDER BY least(g.ended_at, g.refresh_expires_at)
      LIMIT ${MAX_DELETED}
      FOR UPDATE OF g SKIP LOCKED
    ),
      keys AS (
        DELETE FROM api_keys
        WHERE grant_id IN (SELECT id FROM spent)
      )
    DELETE FROM sign_in_grants
    WHERE id IN (SELECT id FROM spent)
  `);

/**
 * Deletes what no token can come from any more: refresh tokens and grants. Of grants that go on it
 * deletes access tokens that ended, but for the last one and those that something refers to.
 */
export async function deleteSpent(db: Queryable, before: string): Promise<void> {
  await deleteRefreshes(db, before);
  await db.run(sql`
    DELETE FROM sign_in_grants
    WHERE token_key_id IS NULL AND code_expires_at < ${before}
  `);
  await db.run(sql`
    DELETE FROM api_keys
    WHERE id IN (
      SELECT k.id
      FROM api_keys k
      WHERE k.grant_id IS NOT NULL AND coalesce(k.revoked_at, k.expires_at) < ${before}
        AND NOT EXISTS (SELECT 1 FROM sign_in_grants g WHERE g.token_key_id = k.id)
        AND NOT EXISTS (SELECT 1 FROM api_keys made WHERE made.made_by = k.id)
        AND NOT ${isKeyKept}
      ORDER BY k.id
      LIMIT ${MAX_DELETED}
      FOR UPDATE OF k SKIP LOCKED
    )
  `);
  await deleteEnded(db, before);
}
