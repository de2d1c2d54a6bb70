import { closeSync, fdatasyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedServer } from '../../src/db/embedded/embedded-server.ts';
import { type Spread, toSpread } from '../measure/stats.ts';
import { formatMilliseconds } from './document.ts';

const inMemoryFileSystems = [0x01021994, 0x858458f6];

/** Measures how many milliseconds the disk needs to sync 8 KiB, which every commit waits for. */
function measureSyncTime(folder: string): Spread {
  const path = join(folder, 'sync-time');
  const file = openSync(path, 'w');
  const block = Buffer.alloc(8192, 1);
  const times = Array.from({ length: 200 }, (_, index) => {
    const began = performance.now();
    writeSync(file, block, 0, block.length, index * block.length);
    fdatasyncSync(file);
    return performance.now() - began;
  });
  closeSync(file);
  rmSync(path);
  return toSpread(times);
}

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
    `fdatasync of 8 KiB: ${formatMilliseconds(measureSyncTime(folder))} ms`,
    `load average before the start: ${(loadavg()[0] ?? 0).toFixed(1)}`,
  ].join('; ');
}
