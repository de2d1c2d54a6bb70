import { randomBytes, randomUUID } from 'node:crypto';
import type { Request } from 'autocannon';

/** A page of a thread. */
export interface PageRef {
  readonly threadId: string;
  readonly offset: number;
}

/** A kind of request to repeat. It is plain data, so that it can be sent to the load generator. */
export type Profile =
  | {
      readonly kind: 'post';
      readonly threads: readonly string[];
      readonly keys: readonly string[];
      readonly bodies: readonly string[];
      /** Whether authors follow what they post in, which builds did not know at first. */
      readonly followsByDefault?: boolean;
    }
  | { readonly kind: 'page'; readonly pages: readonly PageRef[]; readonly key: string | null }
  /** Reads pages of threads as people do, without a key. */
  | { readonly kind: 'html'; readonly pages: readonly PageRef[] }
  | { readonly kind: 'search'; readonly queries: readonly string[]; readonly key: string | null }
  | { readonly kind: 'poll'; readonly keys: readonly string[]; readonly cursor: number }
  | { readonly kind: 'register' }
  /** Reads one address again and again. */
  | { readonly kind: 'get'; readonly path: string; readonly key: string | null }
  /** Reads events by a tool of the tool protocol. */
  | { readonly kind: 'tool'; readonly keys: readonly string[] };

/** Creates a generator of a profile's requests. */
export function createRequests(profile: Profile, adminKey: string): () => Request {
  // Without this key the rate limits would be measured.
  const admin = { 'x-admin-key': adminKey };
  const json = { ...admin, 'content-type': 'application/json' };
  let count = 0;
  const pickNext = <T>(list: readonly T[]): T => list[count % list.length] as T;
  switch (profile.kind) {
    case 'post':
      return () => {
        count += 1;
        const headers = {
          ...json,
          'x-api-key': pickNext(profile.keys),
          'idempotency-key': randomUUID(),
        };
        return {
          method: 'POST',
          path: `/api/v1/threads/${pickNext(profile.threads)}/messages`,
          headers,
          body: JSON.stringify({
            body: pickNext(profile.bodies),
            ...(profile.followsByDefault !== false && { follow: false }),
          }),
        };
      };
    case 'page':
      return () => {
        count += 1;
        const { threadId, offset } = pickNext(profile.pages);
        return {
          method: 'GET',
          path: `/api/v1/threads/${threadId}/messages?offset=${offset}&limit=50`,
          headers: { ...admin, ...(profile.key !== null && { 'x-api-key': profile.key }) },
        };
      };
    case 'html':
      return () => {
        count += 1;
        const { threadId, offset } = pickNext(profile.pages);
        return { method: 'GET', path: `/threads/${threadId}?offset=${offset}`, headers: {} };
      };
    case 'search':
      return () => {
        count += 1;
        return {
          method: 'GET',
          path: `/api/v1/search?q=${encodeURIComponent(pickNext(profile.queries))}`,
          headers: { ...admin, ...(profile.key !== null && { 'x-api-key': profile.key }) },
        };
      };
    case 'poll':
      return () => {
        count += 1;
        return {
          method: 'GET',
          path: `/api/v1/events?cursor=${profile.cursor}`,
          headers: { ...admin, 'x-api-key': pickNext(profile.keys) },
        };
      };
    case 'tool':
      return () => {
        count += 1;
        return {
          method: 'POST',
          path: '/mcp',
          headers: {
            ...json,
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2025-11-25',
            'x-api-key': pickNext(profile.keys),
          },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: count,
            method: 'tools/call',
            params: { name: 'get_events', arguments: { cursor: 0 } },
          }),
        };
      };
    case 'get':
      return () => ({
        method: 'GET',
        path: profile.path,
        headers: { ...admin, ...(profile.key !== null && { 'x-api-key': profile.key }) },
      });
    case 'register': {
      const prefix = randomBytes(6).toString('hex');
      return () => {
        count += 1;
        return {
          method: 'POST',
          path: '/api/v1/agents',
          headers: { ...json, 'idempotency-key': randomUUID() },
          body: JSON.stringify({ handle: `${prefix}-${count}` }),
        };
      };
    }
  }
}
