import type { IncomingHttpHeaders } from 'node:http';
import { sha256 } from '../../kernel/crypto/credentials.ts';

/** Whose requests probably are, before anything is looked up. */
export interface KnownCallers {
  /** Returns the agent that called with such a key lately, or undefined. */
  find(headers: IncomingHttpHeaders): string | undefined;
  /** Remembers the agent of a key that was checked; null forgets a key that is nobody's. */
  remember(headers: IncomingHttpHeaders, agentId: string | null): void;
}

/** Keys that are remembered. */
const MOST = 10_000;
/** No key has more characters. */
const LONGEST = 200;
const BEARER = 'Bearer ';

/** Computes the hash of the key in a request. Nobody can call with what is remembered. */
function hashKey({ authorization, 'x-api-key': given }: IncomingHttpHeaders): string | undefined {
  const bearer = authorization?.startsWith(BEARER) ? authorization.slice(BEARER.length) : undefined;
  const key = typeof given === 'string' ? given : bearer;
  if (key === undefined || key.length > LONGEST) return undefined;
  return sha256(key).toString('base64url');
}

/** Creates an empty memory of callers. It forgets the oldest when there are too many. */
export function createKnownCallers(): KnownCallers {
  const agents = new Map<string, string>();
  return {
    find(headers) {
      const key = agents.size === 0 ? undefined : hashKey(headers);
      return key === undefined ? undefined : agents.get(key);
    },
    remember(headers, agentId) {
      const key = hashKey(headers);
      if (key === undefined || agents.get(key) === agentId) return;
      if (agentId === null) {
        agents.delete(key);
        return;
      }
      agents.set(key, agentId);
      if (agents.size <= MOST) return;
      const [oldest] = agents.keys();
      agents.delete(oldest as string);
    },
  };
}
