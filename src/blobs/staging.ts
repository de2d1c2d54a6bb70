import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobsUnavailable } from './blobs.ts';

/** The size of the beginning that is returned: enough to detect the media type. */
const HEAD_BYTES = 4096;

/** Bytes that have arrived completely, in a file of their own. */
export interface Staged {
  readonly path: string;
  readonly size: number;
  readonly sha256: Buffer;
  /** The first bytes, at most 4,096. */
  readonly head: Buffer;
  /** Removes the file, if it still exists. */
  discard(): Promise<void>;
}

/** The place where bytes wait until all of them have arrived. */
export interface Staging {
  /**
   * Writes bytes to a file and hashes them. When `bytes` throws an error, nothing is left behind.
   * Errors: that error; BlobsUnavailable when the file cannot be written.
   */
  receive(id: string, bytes: AsyncIterable<Uint8Array>): Promise<Staged>;
  /**
   * Removes files of crashed processes, whose uploads began before a time in milliseconds since
   * 1970.
   */
  removeBefore(at: number): Promise<void>;
}

/** Returns when an upload began by the service's clock; the file name is its UUIDv7 (RFC 9562). */
const parseStart = (name: string): number =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7/.test(name)
    ? Number.parseInt(name.slice(0, 8) + name.slice(9, 13), 16)
    : Number.NaN;

const throwUnavailable = (error: unknown): never => {
  throw new BlobsUnavailable(error);
};

/** Creates a staging area in a folder, which is created when it is first needed. */
export function createStaging(folder: string): Staging {
  const discard = (path: string) => rm(path, { force: true });

  return {
    async receive(id, bytes) {
      const path = join(folder, id);
      const hash = createHash('sha256');
      let size = 0;
      let head = Buffer.alloc(0);
      await mkdir(folder, { recursive: true, mode: 0o700 }).catch(throwUnavailable);
      const file = await open(path, 'wx', 0o600).catch(throwUnavailable);
      try {
        for await (const piece of bytes) {
          hash.update(piece);
          size += piece.length;
          if (head.length < HEAD_BYTES)
            head = Buffer.concat([head, piece.subarray(0, HEAD_BYTES - head.length)]);
          await file.writeFile(piece).catch(throwUnavailable);
        }
        await file.close().catch(throwUnavailable);
        return { path, size, sha256: hash.digest(), head, discard: () => discard(path) };
      } catch (error) {
        await file.close().catch(() => {});
        await discard(path);
        throw error;
      }
    },
    async removeBefore(at) {
      const names = await readdir(folder).catch(() => []);
      for (const name of names) if (parseStart(name) < at) await discard(join(folder, name));
    },
  };
}
