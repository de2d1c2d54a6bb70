import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobsUnavailable } from './blobs.ts';

/** How much of the beginning is kept at hand: enough to tell what kind of bytes they are. */
const HEAD_BYTES = 4096;

/** Bytes that arrived completely, in a file of their own. */
export interface Staged {
  readonly path: string;
  readonly size: number;
  readonly sha256: Buffer;
  readonly head: Buffer;
  /** Removes the file, if it is still there. */
  discard(): Promise<void>;
}

/** Where bytes wait until all of them have arrived. */
export interface Staging {
  /** Writes bytes to a file and hashes them on the way. When they end in an error nothing is left. Errors: that one; BlobsUnavailable. */
  receive(id: string, bytes: AsyncIterable<Uint8Array>): Promise<Staged>;
  /** Removes what uploads that began before a time, in milliseconds, left behind when their process ended. */
  removeBefore(at: number): Promise<void>;
}

/** A file's name is its upload's UUIDv7, which tells when it began by the clock of the service. */
const startOf = (name: string): number =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(name)
    ? Number.parseInt(name.slice(0, 8) + name.slice(9, 13), 16)
    : Number.NaN;

const failing = (error: unknown): never => {
  throw new BlobsUnavailable(error);
};

/** Temporary files in a folder, which is made when it is first needed. */
export function createStaging(folder: string): Staging {
  const discard = (path: string) => rm(path, { force: true });

  return {
    async receive(id, bytes) {
      const path = join(folder, id);
      const hash = createHash('sha256');
      let size = 0;
      let head = Buffer.alloc(0);
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch(failing);
      const file = await open(path, 'wx', 0o600).catch(failing);
      try {
        for await (const piece of bytes) {
          hash.update(piece);
          size += piece.length;
          if (head.length < HEAD_BYTES)
            head = Buffer.concat([head, piece.subarray(0, HEAD_BYTES - head.length)]);
          await file.writeFile(piece).catch(failing);
        }
        await file.close().catch(failing);
        return { path, size, sha256: hash.digest(), head, discard: () => discard(path) };
      } catch (error) {
        await file.close().catch(() => {});
        await discard(path);
        throw error;
      }
    },
    async removeBefore(at) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) if (startOf(name) < at) await discard(join(folder, name));
    },
  };
}
