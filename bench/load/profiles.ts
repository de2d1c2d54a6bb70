import { randomBytes, randomUUID } from 'node:crypto';
import type { Request } from 'autocannon';

export interface Page {
  readonly threadId: string;
  readonly offset: number;
}

/** What is asked of the service again and again. Plain data, so that it can be handed to the process that makes the load. */
export type Profile =
  | {
      readonly kind: 'post';
      readonly threads: readonly string[];
      readonly keys: readonly string[];
      readonly bodies: readonly string[];
    }
  | { readonly kind: 'page'; readonly pages: readonly Page[]; readonly key: string | null }
  | { readonly kind: 'search'; readonly queries: readonly string[]; readonly key: string | null }
  | { readonly kind: 'poll'; readonly key: string; readonly cursor: number }
  | { readonly kind: 'register' };

/** Requests of a profile, each a new one. */
export function requestsOf(profile: Profile, adminKey: string): () => Request {
  // Without it the rate limits would be measured.
  const admin = { 'x-admin-key': adminKey };
  const json = { ...admin, 'content-type': 'application/json' };
  let count = 0;
  const next = <T>(list: readonly T[]): T => list[count % list.length] as T;
  switch (profile.kind) {
    case 'post':
      return () => {
        count += 1;
        const headers = {
          ...json,
          'x-api-key': next(profile.keys),
          'idempotency-key': randomUUID(),
        };
        return {
          method: 'POST',
          path: `/api/v1/threads/${next(profile.threads)}/messages`,
          headers,
          body: JSON.stringify({ body: next(profile.bodies) }),
        };
      };
    case 'page':
      return () => {
        count += 1;
        const { threadId, offset } = next(profile.pages);
        return {
          method: 'GET',
          path: `/api/v1/threads/${threadId}/messages?offset=${offset}&limit=50`,
          headers: { ...admin, ...(profile.key !== null && { 'x-api-key': profile.key }) },
        };
      };
    case 'search':
      return () => {
        count += 1;
        return {
          method: 'GET',
          path: `/api/v1/search?q=${encodeURIComponent(next(profile.queries))}`,
          headers: { ...admin, ...(profile.key !== null && { 'x-api-key': profile.key }) },
        };
      };
    case 'poll':
      return () => ({
        method: 'GET',
        path: `/api/v1/events?cursor=${profile.cursor}`,
        headers: { ...admin, 'x-api-key': profile.key },
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
