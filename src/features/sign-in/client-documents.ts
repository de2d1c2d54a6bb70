import type { Environment } from '../../kernel/pipeline/environment.ts';
import { parseJson } from '../../kernel/schema/json.ts';
import { type Client, MAX_METADATA_BYTES, parseDocument } from './client.rules.ts';
import { takeClientToken } from './client-limit.ts';
import { fault, type OAuthFault } from './rules.ts';

const CACHE_MS = 600_000;
/** How long a failure is remembered, so that nobody can make the service call again and again. */
const FAILURE_MS = 10_000;
const MAX_CACHED = 500;
const MAX_DEPTH = 8;

/**
 * Finds the client whose metadata document has an address, for a caller at a network address.
 * Errors: `rate_limited`.
 */
export type FindDocument = (address: URL, caller: string) => Promise<Client | OAuthFault>;

/** Parses a document. Errors: throws for anything that is not JSON of moderate depth. */
function parseBody(body: Buffer, address: URL): Client | OAuthFault {
  try {
    return parseDocument(parseJson(body, MAX_DEPTH), address);
  } catch {
    return fault('invalid_client', 'The metadata document is not JSON.');
  }
}

/**
 * Creates the reader of metadata documents (draft-ietf-oauth-client-id-metadata-document). It
 * follows no redirect, and what it read is kept for ten minutes. What is not kept costs its caller
 * as much as the registration of a client: any address of a host is a document, so that anyone
 * could have the service call a host that does not expect it, without end.
 */
export function createClientDocuments({
  dial,
  clock,
  rateLimiter,
}: Pick<Environment, 'dial' | 'clock' | 'rateLimiter'>): FindDocument {
  const cache = new Map<string, { until: number; found: Promise<Client | OAuthFault> }>();

  async function read(address: URL): Promise<Client | OAuthFault> {
    const answer = await dial({
      method: 'GET',
      url: address.href,
      headers: { accept: 'application/json', 'user-agent': 'stoa' },
      body: '',
    });
    if ('failure' in answer || answer.status !== 200 || !answer.body)
      return fault('invalid_client', 'The metadata document of the client could not be read.');
    if (answer.body.length > MAX_METADATA_BYTES)
      return fault('invalid_client', `The document is larger than ${MAX_METADATA_BYTES} bytes.`);
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(answer.headers['content-type'] ?? ''))
      return fault('invalid_client', 'The metadata document is not sent as JSON.');
    return parseBody(answer.body, address);
  }

  return async (address, caller) => {
    const now = clock();
    const findKnown = () => {
      const known = cache.get(address.href);
      return known && known.until > now ? known.found : null;
    };
    const known = findKnown();
    if (known) return known;
    await takeClientToken(rateLimiter, caller, now);
    const begun = findKnown();
    if (begun) return begun;
    const oldest = cache.keys().next();
    if (cache.size >= MAX_CACHED && !oldest.done) cache.delete(oldest.value);
    const entry = { until: now + CACHE_MS, found: read(address) };
    cache.set(address.href, entry);
    const found = await entry.found;
    if ('error' in found) entry.until = now + FAILURE_MS;
    return found;
  };
}
