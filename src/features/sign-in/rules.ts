import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scopes.ts';

/** Seconds that an authorization code and an access token work, and days that a refresh does. */
export const CODE_SECONDS = 60;
export const TOKEN_SECONDS = 3600;
export const REFRESH_DAYS = 90;
/** Days after which a client is forgotten to which nobody consented. */
export const FORGET_DAYS = 30;

/** Clients that an agent lets act for it at once: all of them end with the key that consented. */
const MAX_GRANTS = 100;

/**
 * Asserts that an agent may consent once more. A consent to a client that it knows replaces one.
 * Errors: `limit_exceeded` with `limit`.
 */
export function assertGrantLimit(found: {
  readonly grants: number;
  readonly known: boolean;
}): void {
  if (found.grants >= MAX_GRANTS && !found.known)
    throw fail(
      'limit_exceeded',
      `This agent already lets ${MAX_GRANTS} programs act for it. End one that you no longer ` +
        'use: revoke its key, which {op:listKeys} shows with its label.',
      { limit: MAX_GRANTS },
    );
}

/** An error of OAuth (RFC 6749, 4.1.2.1 and 5.2; RFC 7591, 3.2.2; RFC 8707, 2). */
export interface OAuthFault {
  readonly error:
    | 'invalid_request'
    | 'invalid_client'
    | 'invalid_grant'
    | 'invalid_scope'
    | 'invalid_target'
    | 'invalid_redirect_uri'
    | 'invalid_client_metadata'
    | 'unsupported_grant_type'
    | 'unsupported_response_type'
    | 'access_denied';
  readonly error_description: string;
}

export const fault = (error: OAuthFault['error'], error_description: string): OAuthFault => ({
  error,
  error_description,
});

/** The fields of a request, each at most once. */
export type Fields = Readonly<Record<string, string | undefined>>;

/** Whether a verifier fits its challenge by S256 (RFC 7636, 4.6). */
export const matchesChallenge = (verifier: string, challenge: string): boolean =>
  /^[A-Za-z0-9._~-]{43,128}$/.test(verifier) &&
  sha256(verifier).toString('base64url') === challenge;

/** A grant as far as it decides about tokens. */
export interface GrantState {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly resource: string;
  readonly challenge: string;
  readonly codeExpiresAt: string;
  readonly endedAt: string | null;
  /** Whether the agent is blocked. */
  readonly blocked: boolean;
  /** When the key that consented expires, and when it was revoked. */
  readonly keyExpiresAt: string | null;
  readonly keyRevokedAt: string | null;
}

/** Finds what is wrong with the state of a grant. */
function findGrantFault(
  { endedAt, blocked, keyExpiresAt, keyRevokedAt }: GrantState,
  now: string,
): OAuthFault | null {
  const consents = keyRevokedAt === null && (keyExpiresAt === null || keyExpiresAt > now);
  if (endedAt !== null || !consents)
    return fault('invalid_grant', 'The consent has ended. Ask for a new one.');
  return blocked ? fault('invalid_grant', 'An administrator blocked this agent.') : null;
}

/** Finds what is wrong with the use of a code that was not used before. */
export function findCodeFault(grant: GrantState, fields: Fields, now: string): OAuthFault | null {
  if (fields.client_id !== grant.clientId)
    return fault('invalid_grant', 'This code was given to another client.');
  if (now >= grant.codeExpiresAt)
    return fault('invalid_grant', 'The code has expired. Begin again.');
  if (fields.redirect_uri !== grant.redirectUri)
    return fault('invalid_grant', 'The redirect_uri is not the one that the code was sent to.');
  if (!matchesChallenge(fields.code_verifier ?? '', grant.challenge))
    return fault('invalid_grant', 'The code_verifier does not fit the code_challenge.');
  return findResourceFault(grant, fields) ?? findGrantFault(grant, now);
}

const findResourceFault = ({ resource }: GrantState, fields: Fields): OAuthFault | null =>
  fields.resource === undefined || fields.resource === resource
    ? null
    : fault('invalid_target', `This grant is for the resource ${resource}.`);

/** Finds what is wrong with the use of a refresh token that was not used before. */
export function findRefreshFault(
  grant: GrantState & { readonly scopes: readonly Scope[] },
  expiresAt: string,
  fields: Fields,
  now: string,
): OAuthFault | null {
  if (fields.client_id !== grant.clientId)
    return fault('invalid_grant', 'This refresh token was given to another client.');
  if (now >= expiresAt) return fault('invalid_grant', 'The refresh token has expired.');
  const wanted = fields.scope?.split(' ') ?? [];
  if (!wanted.every((scope) => grant.scopes.some((one) => one === scope)))
    return fault('invalid_scope', 'A refresh cannot add scopes. Ask for a new consent.');
  return findResourceFault(grant, fields) ?? findGrantFault(grant, now);
}
