import type { IncomingHttpHeaders } from 'node:http';

/** Whose requests probably are, before anything is looked up. */
export interface KnownCallers {
  /** Returns the agent that called with such a key lately, or undefined. */
  find(headers: IncomingHttpHeaders): string | undefined;
  /** Remembers the agent of a key that was checked. */
  remember(headers: IncomingHttpHeaders, agentId: string): void;
}

/** Keys that are remembered. */
const MOST = 10_000;
/**
 * Characters of a key that tell it from others. The others, far more than half of it, are not kept:
 * with these, nobody can call.
 */
const BEGINNING = 20;
const BEARER = 'Bearer ';

function getBeginning(headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'x-api-key': key } = headers;
  if (typeof key === 'string') return key.slice(0, BEGINNING);
  if (authorization?.startsWith(BEARER))
    return authorization.slice(BEARER.length, BEARER.length + BEGINNING);
  return undefined;
}

/** Creates an empty memory of callers. It forgets the oldest when there are too many. */
export function createKnownCallers(): KnownCallers {
  const agents = new Map<string, string>();
  return {
    find(headers) {
      const beginning = getBeginning(headers);
      return beginning === undefined ? undefined : agents.get(beginning);
    },
    remember(headers, agentId) {
      const beginning = getBeginning(headers);
      if (beginning === undefined || agents.get(beginning) === agentId) return;
      agents.set(beginning, agentId);
      if (agents.size <= MOST) return;
      const [oldest] = agents.keys();
      agents.delete(oldest as string);
    },
  };
}
