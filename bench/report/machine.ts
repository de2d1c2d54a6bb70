import { closeSync, fdatasyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedServer } from '../../src/db/embedded/embedded-server.ts';
import { milliseconds } from './document.ts';
import { type Spread, spreadOf } from '../measure/stats.ts';

const IN_MEMORY = [0x01021994, 0x858458f6];

/** Milliseconds that the disk takes to keep 8 KiB for good: what a commit waits for at least. */
function syncTime(folder: string): Spread {
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
  return spreadOf(times);
}

/** Where the figures come from. `folder` is on the database's disk. */
export function describeMachine({ location }: EmbeddedServer, folder: string, date: Date): string {
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB`;
  const disk = IN_MEMORY.includes(statfsSync(location.data).type)
    ? 'IN MEMORY, so writes are faster than on a disk'
    : 'on a disk';
  return [
    `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `${availableParallelism()} × ${cpus()[0]?.model.trim() || 'unknown processor'}, ${memory}, ${type()} ${release()}`,
    `Node.js ${process.versions.node}, PostgreSQL ${location.version} (${location.source}), database ${disk}, fsync and synchronous commit on`,
    `fdatasync of 8 KiB: ${milliseconds(syncTime(folder))} ms`,
    `load of the machine before the start: ${(loadavg()[0] ?? 0).toFixed(1)}`,
  ].join('; ');
}
