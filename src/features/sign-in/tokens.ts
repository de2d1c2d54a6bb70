import type { Transaction } from '../../db/database.ts';
import { toIso } from '../../kernel/clock.ts';
import { isSecret, sha256 } from '../../kernel/crypto/credentials.ts';
import type { FormFields } from '../../kernel/operation/form.ts';
import type { SignInAnswer } from '../../kernel/pipeline/protocols/sign-in-protocol.ts';
import * as agents from '../agents/store.ts';
import { issueTokens, type TokenEnvironment, type Tokens } from './issue-tokens.ts';
import * as refreshes from './refreshes.store.ts';
import { fault, findCodeFault, findRefreshFault, type OAuthFault } from './rules.ts';
import * as grants from './sign-in-grants.store.ts';

const unknownCode = fault('invalid_grant', 'No such code is known. Begin again.');
const unknownRefresh = fault('invalid_grant', 'No such refresh token is known. Sign in again.');

/** Locks the agent of a grant, then the grant: the order in which all ends of keys lock. */
async function lockGrant(
  tx: Transaction,
  { id, agentId }: { readonly id: string; readonly agentId: string },
  now: string,
): Promise<grants.GrantRow | undefined> {
  agents.lock(tx, agentId);
  return grants.lock(tx, id, now);
}

/**
 * Runs `work` in a transaction that has locked a grant. It takes the turn of the grant's agent,
 * because whoever has a secret of the grant acts for that agent. Nobody else gets as far: a secret
 * is looked up before, so that one that nobody has costs a read. What that read found may have
 * changed, and only the locked grant (undefined if it was deleted) counts.
 */
const runWithGrant = <Result>(
  { db, clock }: TokenEnvironment,
  known: { readonly id: string; readonly agentId: string },
  work: (tx: Transaction, grant: grants.GrantRow | undefined, now: string) => Promise<Result>,
): Promise<Result> =>
  db.transaction(
    async (tx) => {
      const now = toIso(clock());
      return work(tx, await lockGrant(tx, known, now), now);
    },
    { caller: known.agentId },
  );

/** Gives tokens for a code. A code that comes twice may be stolen, so its grant ends. */
async function exchangeCode(
  env: TokenEnvironment,
  fields: FormFields,
): Promise<Tokens | OAuthFault> {
  const known = await grants.findByCode(env.db, sha256(fields.code ?? ''));
  if (!known) return unknownCode;
  return runWithGrant(env, known, async (tx, grant, now) => {
    if (!grant) return unknownCode;
    if (grant.codeUsedAt !== null) {
      grants.end(tx, grant.id, now);
      return fault(
        'invalid_grant',
        'The code was used before. The tokens that it gave have ended.',
      );
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
  const known = await grants.findByRefresh(env.db, secret);
  if (!known) return unknownRefresh;
  // Each refresh stores a key. It is a write of its agent, however many consents the agent gave.
  await env.rateLimiter.take('writes', { name: `agent:${known.agentId}` }, env.clock(), () => {});
  return runWithGrant(env, known, async (tx, grant, now) => {
    const refresh = grant && (await refreshes.findRefresh(tx, secret));
    if (!grant || !refresh) return unknownRefresh;
    if (refresh.usedAt !== null) {
      grants.end(tx, grant.id, now);
      return fault('invalid_grant', 'The refresh token was used before. Its tokens have ended.');
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
  const findGrant = isSecret('refresh', token) ? grants.findByRefresh : grants.findByToken;
  const known = await findGrant(env.db, sha256(token));
  if (known)
    await runWithGrant(env, known, async (tx, grant, now) => {
      if (grant && grant.clientId === clientId) grants.end(tx, grant.id, now);
    });
  return { kind: 'json', status: 200, body: {} };
}
