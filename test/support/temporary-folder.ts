import { statfsSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';

/** Linux keeps what is here in memory. */
const MEMORY = '/dev/shm';
/** Bytes that a run of all tests needs: some 200 databases of 12 MB, and the write-ahead log. */
const NEEDED = 8 * 1024 ** 3;

/** Returns the bytes of memory that this process and all that it stores in memory may use. */
const measureMemory = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/**
 * Returns the folder for everything that tests store. In memory the suite takes less time. No test
 * cuts the power, so none needs a disk.
 */
export function chooseTemporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const isRoomy = bavail * bsize > NEEDED && measureMemory() > 2 * NEEDED;
    return isRoomy ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
