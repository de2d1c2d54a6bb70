import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type GrantRow, grantColumns, grantJoins } from './sign-in-grants.store.ts';

/**
 * Builds the look-up of a grant by the hash of one of its secrets. Look-ups at the same time share
 * one statement, so that many secrets that nobody has take no connections from others.
 */
function buildLookUp<Row extends GrantRow>(fromGrant: Sql, more = sql``) {
  const select = (hashes: readonly Buffer[]): Sql => sql`
    SELECT q.nr, g.*
    FROM unnest(${hashes}::bytea[]) WITH ORDINALITY AS q (secret, nr)
    CROSS JOIN LATERAL (
      SELECT ${grantColumns} ${more}
      ${fromGrant}
      LIMIT 1
    ) g
  `;
  return async (db: Queryable, secretSha256: Buffer): Promise<Row | undefined> =>
    (await db.load<Row, Buffer>(select, secretSha256))[0];
}

/** Finds the grant of a code. */
export const findByCode = buildLookUp(
  sql`FROM sign_in_grants g ${grantJoins} WHERE g.code_sha256 = q.secret`,
);

/** A refresh token, with its grant. */
interface RefreshRow extends GrantRow {
  readonly refreshExpiresAt: string;
  readonly refreshUsedAt: string | null;
}

/** Finds a refresh token with its grant. */
export const findByRefresh = buildLookUp<RefreshRow>(
  sql`
    FROM sign_in_refreshes r
    JOIN sign_in_grants g ON g.id = r.grant_id
    ${grantJoins}
    WHERE r.secret_sha256 = q.secret
  `,
  sql`, r.expires_at AS "refreshExpiresAt", r.used_at AS "refreshUsedAt"`,
);

/** Finds the grant of an access token. */
export const findByToken = buildLookUp(sql`
  FROM api_keys t
  JOIN sign_in_grants g ON g.id = t.grant_id AND g.token_key_id = t.id
  ${grantJoins}
  WHERE t.secret_sha256 = q.secret
`);
