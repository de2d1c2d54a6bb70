import type { Queryable } from '../../db/database.ts';
import { sql, unnestRows } from '../../db/sql.ts';

/**
 * Returns the secret that sessions are encrypted under. A migration inserted its only row.
 * Errors: throws when somebody deleted that row.
 */
export async function getSecret(db: Queryable): Promise<Buffer> {
  const row = await db.first<{ secret: Buffer }>(sql`SELECT secret FROM session_secret`);
  if (!row) throw new Error('The table session_secret is empty: restore its row from a backup.');
  return row.secret;
}

/** When a session was last used, and whether it has ended. */
export interface SessionUse {
  readonly usedAt: string;
  readonly ended: boolean;
}

const selectUses = (ids: readonly string[]) => sql`
  SELECT q.nr, s.used_at AS "usedAt", s.ended
  FROM ${unnestRows(ids, [['uuid', (id) => id]])} WITH ORDINALITY AS q (id, nr)
  JOIN page_sessions s ON s.id = q.id
`;

/**
 * Finds the use of a session; undefined when none was noted. Many at once share a statement, as
 * keys do: a session is looked up before its caller is known, who may have used up every limit.
 */
export const findUse = async (db: Queryable, id: string): Promise<SessionUse | undefined> =>
  (await db.load<SessionUse, string>(selectUses, id))[0];

/** A use of a session, or its end. */
export interface NotedUse extends SessionUse {
  readonly id: string;
  readonly expiresAt: string;
}

/** Notes that sessions are used, or ends them for good. An end and a later use stay. */
export const saveUses = (db: Queryable, uses: readonly NotedUse[]) =>
  db.run(sql`
    INSERT INTO page_sessions AS s (id, used_at, ended, expires_at)
    SELECT *
    FROM ${unnestRows(uses, [
      ['uuid', ({ id }) => id],
      ['timestamptz', ({ usedAt }) => usedAt],
      ['boolean', ({ ended }) => ended],
      ['timestamptz', ({ expiresAt }) => expiresAt],
    ])} AS u (id, used_at, ended, expires_at)
    ORDER BY u.id
    ON CONFLICT (id)
    DO UPDATE SET used_at = greatest(s.used_at, excluded.used_at),
      ended = s.ended OR excluded.ended
    WHERE s.used_at < excluded.used_at OR s.ended < excluded.ended
  `);

/** Deletes what is known of sessions that have expired. */
export const deleteExpired = (db: Queryable, now: string) =>
  db.run(sql`DELETE FROM page_sessions WHERE expires_at <= ${now}`);
