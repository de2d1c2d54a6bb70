import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { SteadyCall } from './steady-calls.ts';

const PAGE = Buffer.alloc(8192, 'a page of a log');
const TEXT = Buffer.alloc(1024 * 1024, 'some text');

/**
 * Builds calls to the machine alone, whose work never grows: they tell how much of a change is its
 * own. One writes a page to the disk of the service and waits until it is there, as a commit does;
 * the other computes a hash. `file` is open for writing.
 */
export const buildMachineCalls = (file: FileHandle): readonly SteadyCall[] => [
  {
    name: 'machine: write',
    callers: 1,
    everyMs: 100,
    async call() {
      await file.write(PAGE, 0, PAGE.length, 0);
      await file.datasync();
      return undefined;
    },
  },
  {
    name: 'machine: hash',
    callers: 1,
    everyMs: 100,
    async call() {
      createHash('sha256').update(TEXT).digest();
      return undefined;
    },
  },
];
