import { toIso } from '../../kernel/clock.ts';
import { isSecret, sha256 } from '../../kernel/crypto/credentials.ts';
import type { FormFields } from '../../kernel/operation/form.ts';
import type { SignInAnswer } from '../../kernel/pipeline/protocols/sign-in-protocol.ts';
import { issueTokens, type TokenEnvironment, type Tokens } from './issue-tokens.ts';
import * as refreshes from './refreshes.store.ts';
import { fault, findCodeFault, findRefreshFault, type OAuthFault } from './rules.ts';
import { runWithGrant } from './run-with-grant.ts';
import * as secrets from './secrets.store.ts';
import * as grants from './sign-in-grants.store.ts';

const unknownCode = fault('invalid_grant', 'No such code is known. Begin again.');
const unknownRefresh = fault('invalid_grant', 'No such refresh token is known. Sign in again.');

const usedCode = fault(
  'invalid_grant',
  'The code was used before. The tokens that it gave have ended.',
);
const usedRefresh = fault(
  'invalid_grant',
  'The refresh token was used before. Its tokens have ended.',
);

/** Gives tokens for a code. A code that comes twice may be stolen, so its grant ends. */
async function exchangeCode(
  env: TokenEnvironment,
  fields: FormFields,
): Promise<Tokens | OAuthFault> {
  const known = await secrets.findByCode(env.db, sha256(fields.code ?? ''));
  if (!known) return unknownCode;
  if (known.codeUsedAt !== null && known.endedAt !== null) return usedCode;
  const early = known.codeUsedAt === null && findCodeFault(known, fields, toIso(env.clock()));
  if (early) return early;
  return runWithGrant(env, known, async (tx, grant, now) => {
    if (!grant) return unknownCode;
    if (grant.codeUsedAt !== null) {
      grants.end(tx, grant.id, now);
      return usedCode;
    }
    return findCodeFault(grant, fields, now) ?? issueTokens(tx, env, grant, grant.scopes);
  });
}

/**
 * Gives new tokens for a refresh token. One that comes twice may be stolen, so its grant ends
 * (RFC 9700, 4.14.2). Errors: `rate_limited`.
 */
async function refreshTokens(
  env: TokenEnvironment,
  fields: FormFields,
): Promise<Tokens | OAuthFault> {
  const secret = sha256(fields.refresh_token ?? '');
  const known = await secrets.findByRefresh(env.db, secret);
  if (!known) return unknownRefresh;
  const wasUsed = known.refreshUsedAt !== null;
  if (wasUsed && known.endedAt !== null) return usedRefresh;
  const { refreshExpiresAt: expiresAt } = known;
  const early = !wasUsed && findRefreshFault(known, expiresAt, fields, toIso(env.clock()));
  if (early) return early;
  // Each refresh stores a key. It is a write of its agent, however many consents the agent gave.
  if (!wasUsed)
    await env.rateLimiter.take('writes', { name: `agent:${known.agentId}` }, env.clock(), () => {});
  return runWithGrant(env, known, async (tx, grant, now) => {
    const refresh = grant && (await refreshes.findRefresh(tx, secret));
    if (!grant || !refresh) return unknownRefresh;
    if (refresh.usedAt !== null) {
      grants.end(tx, grant.id, now);
      return usedRefresh;
    }
    const found = findRefreshFault(grant, refresh.expiresAt, fields, now);
    if (found) return found;
    refreshes.noteRefreshUse(tx, secret, now);
    const wanted = fields.scope?.split(' ');
    const scopes = grant.scopes.filter((scope) => !wanted || wanted.includes(scope));
    return issueTokens(tx, env, grant, scopes);
  });
}

/** Gives tokens for a code or a refresh token (RFC 6749, 4.1.3 and 6). Errors: `rate_limited`. */
export async function giveTokens(env: TokenEnvironment, fields: FormFields): Promise<SignInAnswer> {
  const give = () => {
    switch (fields.grant_type) {
      case 'authorization_code':
        return exchangeCode(env, fields);
      case 'refresh_token':
        return refreshTokens(env, fields);
      case undefined:
        return fault('invalid_request', 'Send grant_type.');
      default:
        return fault(
          'unsupported_grant_type',
          'Send grant_type=authorization_code or grant_type=refresh_token.',
        );
    }
  };
  const body = await give();
  return { kind: 'json', status: 'error' in body ? 400 : 200, body };
}

/**
 * Ends the grant of a token that its own client revokes (RFC 7009). The answer is the same for a
 * token that nobody knows and for that of another client.
 */
export async function revokeToken(
  env: TokenEnvironment,
  { token = '', client_id: clientId }: FormFields,
): Promise<SignInAnswer> {
  const findGrant = isSecret('refresh', token) ? secrets.findByRefresh : secrets.findByToken;
  const known = await findGrant(env.db, sha256(token));
  if (known && known.clientId === clientId && known.endedAt === null)
    await runWithGrant(env, known, async (tx, grant, now) => {
      if (grant) grants.end(tx, grant.id, now);
    });
  return { kind: 'json', status: 200, body: {} };
}
