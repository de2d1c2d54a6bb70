import { LRUCache } from 'lru-cache';
import type { LoadHolder } from './load-limits.ts';

/** How long a refusal is remembered, in milliseconds, and how many are. */
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/**
 * The sizes of answers that were refused because their callers did not read the ones before.
 * Whoever was refused must have room for as much before its next call of the same operation is
 * computed. Otherwise a burst of refused calls would cost as much as answers do.
 */
export interface RefusedAnswers {
  /** Remembers that an answer of so many bytes was refused. */
  remember(holder: LoadHolder, operation: string, bytes: number): void;
  /** Returns the bytes of the answer that was refused lately; 0 when none was. */
  find(holder: LoadHolder, operation: string): number;
}

const toKey = ({ agentId, address }: LoadHolder, operation: string): string =>
  `${operation} ${agentId ?? address}`;

/** Creates the memory of one process. */
export function createRefusedAnswers(): RefusedAnswers {
  const refused = new LRUCache<string, number>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });
  return {
    remember: (holder, operation, bytes) => void refused.set(toKey(holder, operation), bytes),
    find: (holder, operation) => refused.get(toKey(holder, operation)) ?? 0,
  };
}
