import type { Queryable } from '../../db/database.ts';
import { updateLastUsed } from './callers.store.ts';

/**
 * Remembers who was active (by the day) and which key was used (by the minute), and writes it down
 * now and then.
 */
export interface Usage {
  recordUse(
    agentId: string,
    key: { readonly id: string; readonly lastUsedAt: string | null },
    lastActiveOn: string | null,
    now: string,
  ): void;
  /** Writes what was noted since the last time. */
  flush(): Promise<void>;
}

/**
 * Forgets what was written: not a use that came meanwhile, and nothing when the store did not
 * answer.
 */
function deleteWritten(uses: Map<string, string>, written: ReadonlyMap<string, string>): void {
  for (const [id, at] of written) if (uses.get(id) === at) uses.delete(id);
}

export function createUsage(db: Queryable): Usage {
  const agents = new Map<string, string>();
  const keys = new Map<string, string>();
  return {
    recordUse(agentId, key, lastActiveOn, now) {
      if (lastActiveOn !== now.slice(0, 10)) agents.set(agentId, now);
      if (key.lastUsedAt?.slice(0, 16) !== now.slice(0, 16)) keys.set(key.id, now);
    },
    async flush() {
      if (agents.size + keys.size === 0) return;
      const someAgents = new Map(agents);
      const someKeys = new Map(keys);
      await updateLastUsed(db, someAgents, someKeys);
      deleteWritten(agents, someAgents);
      deleteWritten(keys, someKeys);
    },
  };
}
