import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BlobMissing, type Blobs, placeOf, reading, working } from './blobs.ts';

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    (error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    },
  );

/** Bytes as files under a folder of this machine, which is made when it is first needed. */
export function localBlobs(folder: string): Blobs {
  // Up to the data folder: with the first file of all they are as new as it is.
  const rooted = [folder, dirname(folder), dirname(dirname(folder))];
  const pathOf = (sha256: string) => join(folder, placeOf(sha256));

  /** Complete before it has its name; the names are on disk when this returns, also those that someone else has just given. */
  async function put(sha256: string, from: string, size: number): Promise<void> {
    const path = pathOf(sha256);
    const [near, far] = [dirname(path), dirname(dirname(path))];
    if ((await sizeOf(path)) !== size) {
      await sync(from);
      await mkdir(near, { recursive: true, mode: 0o700 });
      await rename(from, path);
    }
    await Promise.all([near, far, ...rooted].map(sync));
  }

  async function* read(sha256: string, range = {}): AsyncGenerator<Uint8Array> {
    const handle = await open(pathOf(sha256), 'r').catch((error: unknown) => {
      throw isMissing(error) ? new BlobMissing(sha256) : error;
    });
    // Closes the file at its end, and when the reader leaves early.
    yield* handle.createReadStream(range);
  }

  return {
    put: (sha256, from, size) => working(put(sha256, from, size)),
    has: async (sha256) => (await working(sizeOf(pathOf(sha256)))) !== null,
    read: (sha256, range) => reading(read(sha256, range)),
    delete: (sha256) => working(rm(pathOf(sha256), { force: true })),
  };
}
