import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Spread, toSpread } from './stats.ts';

const SYNCS = 200;
const LOOPS = 9;
const STEPS = 10_000_000;

/** Measures how many milliseconds the disk needs to sync 8 KiB, which every commit waits for. */
export function measureSyncTime(folder: string, syncs = SYNCS): Spread {
  const path = join(folder, 'sync-time');
  const file = openSync(path, 'w');
  const block = Buffer.alloc(8192, 1);
  const times = Array.from({ length: syncs }, (_, index) => {
    const began = performance.now();
    writeSync(file, block, 0, block.length, index * block.length);
    fdatasyncSync(file);
    return performance.now() - began;
  });
  closeSync(file);
  rmSync(path);
  return toSpread(times);
}

/**
 * Measures how many milliseconds one processor needs for ten million steps of xorshift (Marsaglia,
 * "Xorshift RNGs", 2003), which use no memory. Two runs on one machine can be compared by it.
 */
export function measureLoopTime(loops = LOOPS): Spread {
  const times = Array.from({ length: loops }, () => {
    const began = performance.now();
    let state = 2_463_534_242;
    for (let step = 0; step < STEPS; step++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
    }
    // The state is never zero, and without a use V8 could leave the loop out.
    return state === 0 ? Number.NaN : performance.now() - began;
  });
  return toSpread(times);
}
