import type { Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { GrantRow } from './sign-in-grants.store.ts';

/** Finds a refresh token of a locked grant. */
export const findRefresh = (tx: Transaction, secretSha256: Buffer) =>
  tx.first<{ expiresAt: string; usedAt: string | null }>(sql`
    SELECT expires_at AS "expiresAt", used_at AS "usedAt"
    FROM sign_in_refreshes
    WHERE secret_sha256 = ${secretSha256}
  `);

/** Notes that a refresh token was used. */
export const noteRefreshUse = (tx: Transaction, secretSha256: Buffer, now: string): void =>
  tx.send(sql`UPDATE sign_in_refreshes SET used_at = ${now} WHERE secret_sha256 = ${secretSha256}`);

/**
 * Gives a locked grant its next tokens: a refresh token, and a key that was inserted before. The
 * key that it replaces ends, last, because the end of the current one would end the grant.
 */
export function setTokens(
  tx: Transaction,
  { id, tokenKeyId }: GrantRow,
  next: {
    readonly keyId: string;
    readonly refreshSha256: Buffer;
    readonly expiresAt: string;
    readonly now: string;
  },
): void {
  tx.send(sql`
    UPDATE sign_in_grants
    SET token_key_id = ${next.keyId}, refresh_expires_at = ${next.expiresAt},
      code_used_at = coalesce(code_used_at, ${next.now})
    WHERE id = ${id}
  `);
  tx.send(sql`
    INSERT INTO sign_in_refreshes (secret_sha256, grant_id, expires_at)
    VALUES (${next.refreshSha256}, ${id}, ${next.expiresAt})
  `);
  if (tokenKeyId !== null)
    tx.send(sql`
      UPDATE api_keys
      SET revoked_at = ${next.now}
      WHERE id = ${tokenKeyId} AND revoked_at IS NULL
    `);
}
