import { statfsSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import type { EmbeddedServer } from '../src/db/embedded/server.ts';

const IN_MEMORY = [0x01021994, 0x858458f6];

/** Where the figures come from. */
export function describeMachine({ location }: EmbeddedServer, date: Date): string {
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB`;
  const disk = IN_MEMORY.includes(statfsSync(location.data).type) ? 'IN MEMORY, so writes are faster than on a disk' : 'on a disk';
  return [
    `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `${availableParallelism()} × ${cpus()[0]?.model.trim() || 'unknown processor'}, ${memory}, ${type()} ${release()}`,
    `Node.js ${process.versions.node}, PostgreSQL ${location.version} (${location.source}), database ${disk}, fsync and synchronous commit on`,
    `load of the machine before the start: ${(loadavg()[0] ?? 0).toFixed(1)}`,
  ].join('; ');
}
