import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Scope } from '../../kernel/scopes.ts';
import type { GrantState } from './rules.ts';

/** A grant to insert, with its code. */
export interface NewGrant {
  readonly id: string;
  readonly agentId: string;
  readonly keyId: string;
  readonly clientId: string;
  readonly label: string;
  readonly redirectUri: string;
  readonly resource: string;
  readonly scopes: readonly Scope[];
  readonly challenge: string;
  readonly codeSha256: Buffer;
  readonly codeExpiresAt: string;
  readonly now: string;
}

/** A grant as tokens are made from it. */
export interface GrantRow extends GrantState {
  readonly id: string;
  readonly agentId: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly codeUsedAt: string | null;
  readonly tokenKeyId: string | null;
  /** When the key that consented expires. */
  readonly keyExpiresAt: string | null;
}

/** Inserts a grant. The caller has locked the agent and ended the former grant. */
export const insert = (tx: Transaction, grant: NewGrant): void =>
  tx.send(sql`
    INSERT INTO sign_in_grants (
      id, agent_id, key_id, client_id, label, redirect_uri, resource, scopes, challenge,
      code_sha256, code_expires_at, created_at
    )
    VALUES (
      ${grant.id}, ${grant.agentId}, ${grant.keyId}, ${grant.clientId}, ${grant.label},
      ${grant.redirectUri}, ${grant.resource}, ${grant.scopes}, ${grant.challenge},
      ${grant.codeSha256}, ${grant.codeExpiresAt}, ${grant.now}
    )
  `);

/** Ends the grant of an agent to a client, if there is one, with all of its keys. */
export const endOfClient = (
  tx: Transaction,
  agentId: string,
  clientId: string,
  now: string,
): void =>
  tx.send(sql`
    WITH ended AS (
      UPDATE sign_in_grants
      SET ended_at = ${now}
      WHERE agent_id = ${agentId} AND client_id = ${clientId} AND ended_at IS NULL
      RETURNING id
    )
    UPDATE api_keys k
    SET revoked_at = ${now}
    FROM ended e
    WHERE k.grant_id = e.id AND k.revoked_at IS NULL
  `);

/** Ends a grant with all of its keys. */
export function end(tx: Transaction, id: string, now: string): void {
  tx.send(sql`UPDATE sign_in_grants SET ended_at = ${now} WHERE id = ${id} AND ended_at IS NULL`);
  tx.send(sql`
    UPDATE api_keys
    SET revoked_at = ${now}
    WHERE grant_id = ${id} AND revoked_at IS NULL
  `);
}

/** A grant of which a secret is known, and whose it is. */
interface KnownGrant {
  readonly id: string;
  readonly agentId: string;
}

/**
 * Builds the look-up of a grant by the hash of one of its secrets. Look-ups at the same time share
 * one statement, so that many secrets that nobody has take no connections from others.
 */
function buildLookUp(fromGrant: Sql) {
  const select = (hashes: readonly Buffer[]): Sql => sql`
    SELECT q.nr, g.*
    FROM unnest(${hashes}::bytea[]) WITH ORDINALITY AS q (secret, nr)
    CROSS JOIN LATERAL (SELECT g.id, g.agent_id AS "agentId" ${fromGrant} LIMIT 1) g
  `;
  return async (db: Queryable, secretSha256: Buffer): Promise<KnownGrant | undefined> =>
    (await db.load<KnownGrant, Buffer>(select, secretSha256))[0];
}

/** Finds the grant of a code. */
export const findByCode = buildLookUp(sql`FROM sign_in_grants g WHERE g.code_sha256 = q.secret`);

/** Finds the grant of a refresh token. */
export const findByRefresh = buildLookUp(sql`
  FROM sign_in_refreshes r
  JOIN sign_in_grants g ON g.id = r.grant_id
  WHERE r.secret_sha256 = q.secret
`);

/** Finds the grant of an access token. */
export const findByToken = buildLookUp(sql`
  FROM api_keys k
  JOIN sign_in_grants g ON g.id = k.grant_id AND g.token_key_id = k.id
  WHERE k.secret_sha256 = q.secret
`);

/** Locks a grant, whose agent is locked before. */
export const lock = (tx: Transaction, id: string, now: string) =>
  tx.first<GrantRow>(sql`
    SELECT g.id, g.agent_id AS "agentId", g.client_id AS "clientId", g.label,
      g.redirect_uri AS "redirectUri", g.resource, g.scopes, g.challenge,
      g.code_expires_at AS "codeExpiresAt", g.code_used_at AS "codeUsedAt",
      g.token_key_id AS "tokenKeyId", g.ended_at AS "endedAt", a.blocked,
      k.expires_at AS "keyExpiresAt",
      k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${now}) AS consents
    FROM sign_in_grants g
    JOIN agents a ON a.id = g.agent_id
    JOIN api_keys k ON k.id = g.key_id
    WHERE g.id = ${id}
    FOR UPDATE OF g
  `);
