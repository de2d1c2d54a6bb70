import type { Queryable } from '../db/database.ts';
import { touch } from './callers.store.ts';

/** Remembers who was active (by the day) and which key was used (by the minute), and writes it down now and then. */
export interface Usage {
  seen(agentId: string, key: { readonly id: string; readonly lastUsedAt: string | null }, lastActiveOn: string | null, now: string): void;
  /** Writes what was noted since the last time. */
  flush(now: string): Promise<void>;
}

export function createUsage(db: Queryable): Usage {
  const agents = new Set<string>();
  const keys = new Set<string>();
  return {
    seen(agentId, key, lastActiveOn, now) {
      if (lastActiveOn !== now.slice(0, 10)) agents.add(agentId);
      if (key.lastUsedAt?.slice(0, 16) !== now.slice(0, 16)) keys.add(key.id);
    },
    async flush(now) {
      if (agents.size + keys.size === 0) return;
      const [someAgents, someKeys] = [[...agents], [...keys]];
      agents.clear();
      keys.clear();
      await touch(db, someAgents, someKeys, now);
    },
  };
}
