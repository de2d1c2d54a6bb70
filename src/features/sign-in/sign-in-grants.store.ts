import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
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
}

/** The columns of a `GrantRow`, and what they are joined from to the grant `g`. */
export const grantColumns = sql`
  g.id, g.agent_id AS "agentId", g.client_id AS "clientId", g.label,
  g.redirect_uri AS "redirectUri", g.resource, g.scopes, g.challenge,
  g.code_expires_at AS "codeExpiresAt", g.code_used_at AS "codeUsedAt",
  g.token_key_id AS "tokenKeyId", g.ended_at AS "endedAt", a.blocked,
  k.expires_at AS "keyExpiresAt", k.revoked_at AS "keyRevokedAt"
`;
export const grantJoins = sql`
  JOIN agents a ON a.id = g.agent_id
  JOIN api_keys k ON k.id = g.key_id
`;

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

/** Ends the grants of an agent from which no token can come any more. */
export const endExpired = (tx: Transaction, agentId: string, now: string): void =>
  tx.send(sql`
    UPDATE sign_in_grants
    SET ended_at = ${now}
    WHERE agent_id = ${agentId}
      AND ended_at IS NULL
      AND CASE WHEN code_used_at IS NULL THEN code_expires_at ELSE refresh_expires_at END <= ${now}
  `);

/** Counts the grants of a locked agent that have not ended, and says whether one is to a client. */
export const count = async (tx: Transaction, agentId: string, clientId: string) =>
  (await tx.first(sql`
    SELECT count(*)::int AS grants, coalesce(bool_or(client_id = ${clientId}), false) AS known
    FROM sign_in_grants
    WHERE agent_id = ${agentId} AND ended_at IS NULL
  `)) as { readonly grants: number; readonly known: boolean };

/** Ends a grant with all of its keys. */
export function end(tx: Transaction, id: string, now: string): void {
  tx.send(sql`UPDATE sign_in_grants SET ended_at = ${now} WHERE id = ${id} AND ended_at IS NULL`);
  tx.send(sql`
    UPDATE api_keys
    SET revoked_at = ${now}
    WHERE grant_id = ${id} AND revoked_at IS NULL
  `);
}

/** Locks a grant, whose agent is locked before. */
export const lock = (tx: Transaction, id: string) =>
  tx.first<GrantRow>(sql`
    SELECT ${grantColumns}
    FROM sign_in_grants g
    ${grantJoins}
    WHERE g.id = ${id}
    FOR UPDATE OF g
  `);
