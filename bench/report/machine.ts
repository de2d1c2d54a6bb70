import { statfsSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import type { EmbeddedServer } from '../../src/db/embedded/embedded-server.ts';
import { measureLoopTime, measureSyncTime } from '../measure/machine-speed.ts';
import { formatMilliseconds } from './document.ts';

const inMemoryFileSystems = [0x01021994, 0x858458f6];

/** Describes the machine and the software of a run. `folder` must be on the database's disk. */
export function describeMachine({ location }: EmbeddedServer, folder: string, date: Date): string {
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB`;
  const disk = inMemoryFileSystems.includes(statfsSync(location.data).type)
    ? 'IN MEMORY, so writes are faster than on a disk'
    : 'on a disk';
  return [
    `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `${availableParallelism()} × ${cpus()[0]?.model.trim() || 'unknown processor'}, ` +
      `${memory}, ${type()} ${release()}`,
    `Node.js ${process.versions.node}, PostgreSQL ${location.version} (${location.source}), ` +
      `database ${disk}, fsync and synchronous commit on`,
    `a fixed loop: ${formatMilliseconds(measureLoopTime())} ms; ` +
      `fdatasync of 8 KiB: ${formatMilliseconds(measureSyncTime(folder))} ms`,
    `load average before the start: ${(loadavg()[0] ?? 0).toFixed(1)}`,
  ].join('; ');
}
