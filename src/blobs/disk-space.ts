import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The disk that files and the embedded database are on. */
export interface DiskSpace {
  /** The number of free bytes below which nothing large is stored any more. */
  readonly floorBytes: number;
  /** Returns the number of free bytes; null where the system does not tell. */
  readFreeBytes(): Promise<number | null>;
  /** Bytes that uploads under way in this process may still write. */
  readonly reservedBytes: number;
  /** Reserves bytes, and returns the function that ends the reservation of some or all of them. */
  reserve(bytes: number): (written?: number) => void;
}

/** Creates the access to the disk of a folder, which need not exist yet. */
export function createDiskSpace(folder: string, floorBytes: number): DiskSpace {
  const readFree = async (path: string): Promise<number | null> => {
    try {
      const { bavail, bsize } = await statfs(path);
      return bavail * bsize;
    } catch {
      // The folder is made when something is stored in it for the first time.
      const parent = dirname(path);
      return parent === path ? null : readFree(parent);
    }
  };
  let reading: Promise<number | null> | null = null;
  /** Callers that ask at the same time share one answer of the system. */
  const shareReading = () => {
    reading ??= readFree(folder).finally(() => {
      reading = null;
    });
    return reading;
  };
  let reservedBytes = 0;
  return {
    floorBytes,
    readFreeBytes: shareReading,
    get reservedBytes() {
      return reservedBytes;
    },
    reserve(bytes) {
      let left = bytes;
      reservedBytes += bytes;
      return (written = left) => {
        const ended = Math.min(left, written);
        left -= ended;
        reservedBytes -= ended;
      };
    },
  };
}
