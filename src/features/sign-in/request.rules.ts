import { type Scope, scopes } from '../../kernel/scopes.ts';
import { type Fields, fault, type OAuthFault } from './rules.ts';

/** Whether a text can be a challenge by S256. */
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** Returns the resource that tokens are for; `root` is that of the whole service. */
export const buildResource = (baseUrl: string, root = false): string =>
  root ? baseUrl : `${baseUrl}/mcp/sign-in`;

/**
 * Whether a resource (RFC 8707) is this service: the address that challenges, or the service as a
 * whole. Its keys are the same for both.
 */
export const isOwnResource = (resource: string, baseUrl: string): boolean =>
  resource === buildResource(baseUrl) || resource === baseUrl || resource === `${baseUrl}/`;

/**
 * Returns the known scopes that a client asks for, "forum" where it names none. It is empty when
 * all that it names are unknown.
 */
export function parseScopes(text: string | undefined): Scope[] {
  if (text === undefined) return ['forum'];
  const named = text.split(' ');
  return scopes.filter((scope) => named.includes(scope));
}

/** The parameters of a request, which the forms of the consent page carry on. */
const CARRIED = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const;

/** Picks the parameters of a request from the fields of a form. */
export const pickRequest = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    CARRIED.flatMap((name) => {
      const value = fields[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** The longest parameter of a request in characters: the page repeats each several times. */
const MAX_PARAMETER = 2_000;

/** Finds a parameter that is too long to be repeated, or returns null. */
export function findLongParameter(fields: Fields): OAuthFault | null {
  const [name] =
    Object.entries(pickRequest(fields)).find(([, { length }]) => length > MAX_PARAMETER) ?? [];
  return name === undefined
    ? null
    : fault('invalid_request', `Send a ${name} of at most ${MAX_PARAMETER} characters.`);
}

/** What a client asks for, and where the answer goes. */
export interface AuthorizationRequest {
  readonly redirect: string;
  readonly state: string | undefined;
  readonly scopes: readonly Scope[];
  readonly challenge: string;
  readonly resource: string;
}

/** Reads a request whose client and redirect are known, or returns what is wrong with it. */
export function parseAuthorization(
  fields: Fields,
  baseUrl: string,
): AuthorizationRequest | OAuthFault {
  const { code_challenge: challenge = '', resource = buildResource(baseUrl) } = fields;
  if (fields.response_type !== 'code')
    return fault('unsupported_response_type', 'Send response_type=code.');
  if (fields.code_challenge_method !== 'S256' || !isChallenge(challenge))
    return fault('invalid_request', 'Send a code_challenge with code_challenge_method=S256.');
  if (!isOwnResource(resource, baseUrl))
    return fault('invalid_target', `Send resource=${buildResource(baseUrl)}.`);
  const wanted = parseScopes(fields.scope);
  if (wanted.length === 0)
    return fault('invalid_scope', `Ask for some of these scopes: ${scopes.join(' ')}.`);
  return {
    redirect: fields.redirect_uri ?? '',
    state: fields.state,
    scopes: wanted,
    challenge,
    resource,
  };
}
