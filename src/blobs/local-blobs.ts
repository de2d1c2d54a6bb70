import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BlobMissing, type Blobs, toBlobPath, wrapErrors, wrapReadErrors } from './blobs.ts';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Flushes a file or folder to the disk. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

/**
 * Flushes the data folder. A service that root started may not read it: then root has made the
 * folder of files in it, and flushed it.
 */
const syncDataFolder = (path: string): Promise<void> =>
  sync(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
  });

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );

/** Creates a store of files in a local folder, which is created when it is first needed. */
export function createLocalBlobs(folder: string): Blobs {
  // With the very first file, all folders up to the data folder may be new.
  const roots = [folder, dirname(folder)];
  const dataFolder = dirname(dirname(folder));
  const toPath = (sha256: string) => join(folder, toBlobPath(sha256));

  /**
   * Moves a complete file to its name, over what is there: the time it takes must not tell whether
   * somebody has stored the same bytes. When this returns, the name is on the disk.
   */
  async function put(sha256: string, from: string): Promise<void> {
    const path = toPath(sha256);
    const near = dirname(path);
    const far = dirname(near);
    await sync(from);
    await mkdir(near, { recursive: true, mode: 0o700 });
    await rename(from, path);
    await Promise.all([...[near, far, ...roots].map(sync), syncDataFolder(dataFolder)]);
  }

  async function* read(sha256: string, range = {}): AsyncGenerator<Uint8Array> {
    const handle = await open(toPath(sha256), 'r').catch((error: unknown) => {
      throw isMissing(error) ? new BlobMissing(sha256) : error;
    });
    // The stream closes the file at its end, and when the reader stops early.
    yield* handle.createReadStream(range);
  }

  return {
    put: (sha256, from) => wrapErrors(put(sha256, from)),
    has: (sha256) => wrapErrors(isThere(toPath(sha256))),
    read: (sha256, range) => wrapReadErrors(read(sha256, range)),
    delete: (sha256) => wrapErrors(rm(toPath(sha256), { force: true })),
  };
}
