import type { Queryable } from '../../db/database.ts';
import { updateLastUsed } from './callers.store.ts';

/**
 * Collects which agents were active (by day) and which keys were used (by minute), and writes it
 * from time to time.
 */
export interface Usage {
  /** The first use of a key is written at once: it ends the replay of the rotation that made it. */
  recordUse(
    agentId: string,
    key: { readonly id: string; readonly lastUsedAt: string | null },
    lastActiveOn: string | null,
    now: string,
  ): Promise<void>;
  /** Writes the uses that were recorded since the last flush. */
  flush(): Promise<void>;
}

/**
 * Deletes written uses from the collection, except those that were replaced while the write was
 * running.
 */
function deleteWritten(uses: Map<string, string>, written: ReadonlyMap<string, string>): void {
  for (const [id, at] of written) if (uses.get(id) === at) uses.delete(id);
}

/** Creates an empty collection of uses. */
export function createUsage(db: Queryable): Usage {
  const agents = new Map<string, string>();
  const keys = new Map<string, string>();
  return {
    async recordUse(agentId, key, lastActiveOn, now) {
      if (lastActiveOn !== now.slice(0, 10)) agents.set(agentId, now);
      if (key.lastUsedAt?.slice(0, 16) !== now.slice(0, 16)) keys.set(key.id, now);
      // A read must not fail because the database takes no writes: the next flush tries again.
      if (key.lastUsedAt === null)
        await updateLastUsed(db, new Map(), new Map([[key.id, now]])).catch(() => {});
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
