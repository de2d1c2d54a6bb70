import type { Queryable } from '../../db/database.ts';
import {
  type StreamRead,
  type Uses,
  updateActiveDays,
  updateFirstUse,
  updateKeysLastUsed,
  updateStreamReads,
} from './usage.store.ts';

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
  /** Each agent is written a few times an hour at most, however often it reads. */
  recordStreamRead(agentId: string, read: StreamRead): void;
  /**
   * Writes the uses that were recorded since the last flush. What a transaction in hand has locked
   * is left for the next one.
   */
  flush(): Promise<void>;
}

/**
 * Deletes written uses from the collection, except those that were replaced while the write was
 * running.
 */
function deleteWritten<Use>(uses: Map<string, Use>, written: ReadonlyMap<string, Use>): void {
  for (const [id, at] of written) if (uses.get(id) === at) uses.delete(id);
}

/** Writes uses, and keeps those that the write skipped. */
async function writeUses(
  uses: Map<string, string>,
  write: (uses: Uses) => Promise<readonly string[]>,
): Promise<void> {
  const written = new Map(uses);
  for (const id of await write(written)) written.delete(id);
  deleteWritten(uses, written);
}

/** Creates an empty collection of uses. */
export function createUsage(db: Queryable): Usage {
  const agents = new Map<string, string>();
  const keys = new Map<string, string>();
  const reads = new Map<string, StreamRead>();
  /** The agents whose read in this hour is noted, and from where they had read on. */
  const readers = { hour: '', from: new Map<string, number>() };
  return {
    async recordUse(agentId, key, lastActiveOn, now) {
      if (lastActiveOn !== now.slice(0, 10)) agents.set(agentId, now);
      if (key.lastUsedAt?.slice(0, 16) !== now.slice(0, 16)) keys.set(key.id, now);
      // A read must not fail because the database takes no writes: the next flush tries again.
      if (key.lastUsedAt === null) await updateFirstUse(db, key.id, now).catch(() => {});
    },
    recordStreamRead(agentId, { at, from, to }) {
      const hour = `${at.slice(0, 13)}:00:00.000Z`;
      if (readers.hour !== hour) {
        readers.hour = hour;
        readers.from.clear();
      }
      // One that read from the beginning tells more than a stream that started somewhere.
      if ((readers.from.get(agentId) ?? Number.POSITIVE_INFINITY) <= from) return;
      readers.from.set(agentId, from);
      reads.set(agentId, { at: hour, from, to });
    },
    async flush() {
      if (reads.size > 0) {
        const someReads = new Map(reads);
        await updateStreamReads(db, someReads);
        deleteWritten(reads, someReads);
      }
      await writeUses(agents, (uses) => updateActiveDays(db, uses));
      await writeUses(keys, (uses) => updateKeysLastUsed(db, uses));
    },
  };
}
