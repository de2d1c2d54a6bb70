import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Linux keeps what is here in memory. */
const MEMORY = '/dev/shm';
/** Bytes that a run of all tests needs: some 300 databases of 12 MB, and the write-ahead log. */
const NEEDED = 8 * 1024 ** 3;

/**
 * Returns the folder for everything that tests store. In memory the suite takes a fifth less time.
 * No test cuts the power, so none needs a disk.
 */
export function chooseTemporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > NEEDED ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
