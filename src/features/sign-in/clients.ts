import { toIso } from '../../kernel/clock.ts';
import type { Environment } from '../../kernel/pipeline/environment.ts';
import type { SignInAnswer } from '../../kernel/pipeline/protocols/sign-in-protocol.ts';
import {
  type Client,
  MAX_METADATA_BYTES,
  parseClientAddress,
  parseMetadata,
} from './client.rules.ts';
import type { FindDocument } from './client-documents.ts';
import { takeClientToken } from './client-limit.ts';
import * as clients from './clients.store.ts';
import { fault, type OAuthFault } from './rules.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Finds a client by its id: the address of its document, or the id of its registration. `caller` is
 * the network address of whoever asks. Errors: `rate_limited`.
 */
export async function findClient(
  { db }: Pick<Environment, 'db'>,
  findDocument: FindDocument,
  clientId: string,
  caller: string,
): Promise<Client | OAuthFault> {
  const address = parseClientAddress(clientId);
  if (address) return findDocument(address, caller);
  const found = UUID.test(clientId) ? await clients.find(db, clientId) : undefined;
  if (found) return { ...found, clientId, documentHost: null };
  return fault(
    'invalid_client',
    'No client has this client_id. Register it again, or use the address of its metadata document.',
  );
}

/**
 * Registers a client (RFC 7591). It gets no secret: a code is of use only to whoever has the
 * verifier. Errors: `rate_limited`.
 */
export async function registerClient(
  { db, clock, newId, rateLimiter }: Pick<Environment, 'db' | 'clock' | 'newId' | 'rateLimiter'>,
  metadata: unknown,
  address: string,
): Promise<SignInAnswer> {
  const at = clock();
  await takeClientToken(rateLimiter, address, at);
  const refuse = (body: OAuthFault): SignInAnswer => ({ kind: 'json', status: 400, body });
  if (Buffer.byteLength(JSON.stringify(metadata) ?? '') > MAX_METADATA_BYTES)
    return refuse(
      fault('invalid_client_metadata', `Send at most ${MAX_METADATA_BYTES} bytes of metadata.`),
    );
  const found = parseMetadata(metadata);
  if ('error' in found) return refuse(found);
  const client: Client = { clientId: newId(), documentHost: null, ...found };
  await clients.insert(db, client, toIso(at));
  return {
    kind: 'json',
    status: 201,
    body: {
      client_id: client.clientId,
      client_id_issued_at: Math.floor(at / 1000),
      ...(client.name !== null && { client_name: client.name }),
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  };
}
