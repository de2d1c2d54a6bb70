import type { Queryable } from '../../db/database.ts';
import { type StreamRead, updateLastUsed, updateStreamReads } from './callers.store.ts';

/**
 * Collects which agents were active (by day), which keys were used (by minute) and which agents
 * read their events (by hour), and writes it from time to time.
 */
export interface Usage {
  /** The first use of a key is written at once: it ends the replay of the rotation that made it. */
  recordUse(
    agentId: string,
    key: { readonly id: string; readonly lastUsedAt: string | null },
    lastActiveOn: string | null,
    now: string,
  ): Promise<void>;
  /** Each agent is written at most once an hour, however often it reads. */
  recordStreamRead(agentId: string, read: StreamRead): void;
  /** Writes the uses that were recorded since the last flush. */
  flush(): Promise<void>;
}

/**
 * Deletes written uses from the collection, except those that were replaced while the write was
 * running.
 */
function deleteWritten<Use>(uses: Map<string, Use>, written: ReadonlyMap<string, Use>): void {
  for (const [id, at] of written) if (uses.get(id) === at) uses.delete(id);
}

/** Creates an empty collection of uses. */
export function createUsage(db: Queryable): Usage {
  const agents = new Map<string, string>();
  const keys = new Map<string, string>();
  const reads = new Map<string, StreamRead>();
  /** The agents whose read in this hour is noted. */
  const readers = { hour: '', ids: new Set<string>() };
  return {
    async recordUse(agentId, key, lastActiveOn, now) {
      if (lastActiveOn !== now.slice(0, 10)) agents.set(agentId, now);
      if (key.lastUsedAt?.slice(0, 16) !== now.slice(0, 16)) keys.set(key.id, now);
      // A read must not fail because the database takes no writes: the next flush tries again.
      if (key.lastUsedAt === null)
        await updateLastUsed(db, new Map(), new Map([[key.id, now]])).catch(() => {});
    },
    recordStreamRead(agentId, { at, to }) {
      const hour = `${at.slice(0, 13)}:00:00.000Z`;
      if (readers.hour !== hour) {
        readers.hour = hour;
        readers.ids.clear();
      }
      if (readers.ids.has(agentId)) return;
      readers.ids.add(agentId);
      reads.set(agentId, { at: hour, to });
    },
    async flush() {
      if (reads.size > 0) {
        const someReads = new Map(reads);
        await updateStreamReads(db, someReads);
        deleteWritten(reads, someReads);
      }
      if (agents.size + keys.size === 0) return;
      const someAgents = new Map(agents);
      const someKeys = new Map(keys);
      await updateLastUsed(db, someAgents, someKeys);
      deleteWritten(agents, someAgents);
      deleteWritten(keys, someKeys);
    },
  };
}
