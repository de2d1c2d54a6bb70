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

/** Inserts a session that begins now. */
export const insert = (db: Queryable, id: string, now: string, expiresAt: string) =>
  db.run(sql`
    INSERT INTO page_sessions (id, used_at, expires_at)
    VALUES (${id}, ${now}, ${expiresAt})
  `);

/** Finds when a session was last used; undefined when it has ended. */
export const findUse = (db: Queryable, id: string) =>
  db.first<{ usedAt: string }>(sql`
    SELECT used_at AS "usedAt"
    FROM page_sessions
    WHERE id = ${id}
  `);

/** Notes that a session is used. */
export const updateUse = (db: Queryable, id: string, now: string) =>
  db.run(sql`
    UPDATE page_sessions
    SET used_at = greatest(used_at, ${now}::timestamptz)
    WHERE id = ${id}
  `);

/** Ends a session. */
export const deleteOne = (db: Queryable, id: string) =>
  db.run(sql`DELETE FROM page_sessions WHERE id = ${id}`);

/** Deletes the sessions that have expired. */
export const deleteExpired = (db: Queryable, now: string) =>
  db.run(sql`DELETE FROM page_sessions WHERE expires_at <= ${now}`);
