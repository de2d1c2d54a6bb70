import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Linux keeps what is here in memory. */
const MEMORY = '/dev/shm';
/** Bytes that a run of all tests stores: some 100 databases of 12 MB, and the write-ahead log. */
const NEEDED = 4 * 1024 ** 3;

/**
 * Returns the folder for everything that tests store. In memory the suite takes less time, as long
 * as there is more of it than three workers and a browser need. No test cuts the power, so none
 * needs a disk.
 */
export function chooseTemporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const isRoomy = bavail * bsize > NEEDED && process.availableMemory() > 3 * NEEDED;
    return isRoomy ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
