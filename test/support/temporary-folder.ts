import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** Linux keeps what is here in memory. */
const MEMORY = '/dev/shm';
/** Bytes that a run of all tests stores: some 100 databases of 12 MB, and the write-ahead log. */
const NEEDED = 4 * 1024 ** 3;
/** The folder of a run; after it stands the id of the process. */
const PREFIX = 'stoa-run-';

/**
 * Returns the folder for everything that tests store. In memory the suite takes less time, as long
 * as there is more of it than three workers and a browser need. No test cuts the power, so none
 * needs a disk.
 */
function chooseTemporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const isRoomy = bavail * bsize > NEEDED && process.availableMemory() > 3 * NEEDED;
    return isRoomy ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Something of a killed run may still be mounted there, or belong to somebody else.
  }
}

/** Creates a folder for everything of this run, and removes those of runs that were killed. */
export function createRunFolder(): string {
  const parent = chooseTemporaryFolder();
  for (const name of readdirSync(parent))
    if (name.startsWith(PREFIX) && !isAlive(Number(name.slice(PREFIX.length))))
      remove(join(parent, name));
  const made = join(parent, `${PREFIX}${process.pid}`);
  mkdirSync(made, { recursive: true });
  return made;
}

/** Removes the folder of this run, unless the caller of the tests chose it. */
export function removeRunFolder(): void {
  if (basename(tmpdir()).startsWith(PREFIX)) remove(tmpdir());
}
