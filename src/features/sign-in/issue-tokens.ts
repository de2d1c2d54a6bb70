import type { Transaction } from '../../db/database.ts';
import { toIso } from '../../kernel/clock.ts';
import { createSecret, sha256 } from '../../kernel/crypto/credentials.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import type { Scope } from '../../kernel/scopes.ts';
import * as keys from '../keys/store.ts';
import * as refreshes from './refreshes.store.ts';
import { REFRESH_DAYS, TOKEN_SECONDS } from './rules.ts';
import type { GrantRow } from './sign-in-grants.store.ts';

/** What giving tokens needs of the service. */
export type TokenEnvironment = Pick<
  Environment,
  'db' | 'clock' | 'newId' | 'random' | 'rateLimiter'
>;

/** Tokens as they are sent (RFC 6749, 5.1). */
export interface Tokens {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/** Inserts the next access token of a locked grant, a key, and its refresh token. */
export function issueTokens(
  tx: Transaction,
  { newId, random, clock }: TokenEnvironment,
  grant: GrantRow,
  scopes: readonly Scope[],
): Tokens {
  const at = clock();
  const now = toIso(at);
  const id = newId();
  const access = createSecret('agent', random);
  const refresh = createSecret('refresh', random);
  // A key that was lent for an hour must not become one that works longer.
  const end = grant.keyExpiresAt === null ? Infinity : Date.parse(grant.keyExpiresAt);
  const endsAt = Math.min(at + TOKEN_SECONDS * 1000, end);
  keys.insert(tx, {
    id,
    agentId: grant.agentId,
    apiKey: access,
    kind: 'scoped',
    scopes,
    label: grant.label,
    expiresAt: toIso(endsAt),
    now,
    grantId: grant.id,
  });
  refreshes.setTokens(tx, grant, {
    keyId: id,
    refreshSha256: sha256(refresh),
    expiresAt: toIso(at + REFRESH_DAYS * 24 * 3600 * 1000),
    now,
  });
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: Math.floor((endsAt - at) / 1000),
    refresh_token: refresh,
    scope: scopes.join(' '),
  };
}
