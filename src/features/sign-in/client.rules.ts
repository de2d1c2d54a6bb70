import { parseUrl } from '../../kernel/schema/url.ts';
import { isRedirect, PLAIN } from './redirects.rules.ts';
import { fault, type OAuthFault } from './rules.ts';

/** What a client may say of itself: bytes of its metadata, and addresses that get codes. */
export const MAX_METADATA_BYTES = 4096;
const MAX_REDIRECTS = 10;
const MAX_CLIENT_ID_LENGTH = 1000;
const MAX_NAME_LENGTH = 80;

/** A program that wants to act for an agent. */
export interface Client {
  /** The address of its metadata document, or the id under which it was registered. */
  readonly clientId: string;
  readonly name: string | null;
  readonly redirectUris: readonly string[];
  /** The host of its metadata document; null for a client that registered itself. */
  readonly documentHost: string | null;
}

/** Returns the label of keys for a client: the host that answers for it, the end of a long one. */
export const toLabel = ({ documentHost }: Client, redirect: string): string => {
  const url = new URL(redirect);
  return (documentHost ?? (url.host || url.protocol)).slice(-80);
};

/**
 * Returns the address of a metadata document that a client id is; null if it is none. It is https
 * on a named host and the usual port, with a path, and written as parsers write it.
 */
export function parseClientAddress(clientId: string): URL | null {
  if (clientId.length > MAX_CLIENT_ID_LENGTH || !PLAIN.test(clientId)) return null;
  const url = parseUrl(clientId);
  if (!url || url.href !== clientId || url.protocol !== 'https:') return null;
  if (url.port !== '' || url.username !== '' || url.password !== '' || clientId.includes('#'))
    return null;
  const isName = url.hostname.includes('.') && !/^[[\d]|\.\d+$/.test(url.hostname);
  return isName && url.pathname !== '/' ? url : null;
}

/** Returns a name to show, as one line without invisible characters; null if none is left. */
export function cleanName(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  const visible = name.slice(0, 1000).replace(/\s+/gu, ' ').replace(/\p{C}/gu, '').trim();
  return [...visible].slice(0, MAX_NAME_LENGTH).join('').trim() || null;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Reads what a client says of itself (RFC 7591, 2), or returns what is wrong with it. */
export function parseMetadata(
  metadata: unknown,
): Pick<Client, 'name' | 'redirectUris'> | OAuthFault {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    return fault('invalid_client_metadata', 'The metadata must be a JSON object.');
  const {
    redirect_uris: redirects,
    grant_types: grants,
    response_types: responses,
    client_name: name,
  } = metadata as Readonly<Record<string, unknown>>;
  if (!isTexts(redirects) || redirects.length === 0 || redirects.length > MAX_REDIRECTS)
    return fault('invalid_redirect_uri', `Send 1 to ${MAX_REDIRECTS} texts in redirect_uris.`);
  if (!redirects.every(isRedirect))
    return fault(
      'invalid_redirect_uri',
      'A redirect must be https, http on loopback, or the scheme of a program with a dot in it, ' +
        'in ASCII, without a fragment and without credentials. Its host has letters, digits, ' +
        'dots and hyphens.',
    );
  if (grants !== undefined && !(isTexts(grants) && grants.includes('authorization_code')))
    return fault('invalid_client_metadata', 'grant_types must contain authorization_code.');
  if (responses !== undefined && !(isTexts(responses) && responses.includes('code')))
    return fault('invalid_client_metadata', 'response_types must contain code.');
  return { name: cleanName(name), redirectUris: [...new Set(redirects)] };
}

/** Reads a metadata document, which must be that of this client id. */
export function parseDocument(document: unknown, address: URL): Client | OAuthFault {
  const found = parseMetadata(document);
  if ('error' in found) return found;
  const { client_id: clientId, token_endpoint_auth_method: method = 'none' } = document as Readonly<
    Record<string, unknown>
  >;
  if (clientId !== address.href)
    return fault('invalid_client', 'The metadata document names another client_id.');
  if (method !== 'none')
    return fault('invalid_client', 'Clients sign in without a secret: set the method to none.');
  return { clientId: address.href, documentHost: address.host, ...found };
}
