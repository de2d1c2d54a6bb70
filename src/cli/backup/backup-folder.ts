import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { toBlobPath } from '../../blobs/blobs.ts';
import { sync } from '../../blobs/local-blobs.ts';
import { type Pace, passAt } from './pace.ts';

/** Only its owner may enter a folder of a backup. */
export const FOLDER_MODE = 0o700;
/** Only its owner may read a file of a backup. */
export const FILE_MODE = 0o600;
/** What file systems have at their top. */
export const LOST_AND_FOUND = 'lost+found';
/** Higher levels make files a little smaller, and take several times as long. */
const COMPRESSION = { level: 1, chunkSize: 256 * 1024 } as const;

/** A compressed file of a backup. */
export interface PackedFile {
  readonly rows: number;
  readonly bytes: number;
  /** SHA-256 of the file as it is on the disk, in hexadecimal. */
  readonly sha256: string;
}

/** The places in the folder of a backup. */
export const toPaths = (folder: string) => ({
  manifest: join(folder, 'manifest.json'),
  /** Present from the beginning until the backup is complete. */
  unfinished: join(folder, 'unfinished.json'),
  tables: join(folder, 'tables'),
  fileList: join(folder, 'files.txt.gz'),
  files: join(folder, 'files'),
});

/** The path of the rows of a table. */
export const toTablePath = (folder: string, name: string): string =>
  join(toPaths(folder).tables, `${name}.copy.gz`);

/** The path of the rows of a table until they are compressed. */
export const toRawTablePath = (folder: string, name: string): string =>
  join(toPaths(folder).tables, `${name}.copy`);

/** The path of the bytes of a file. */
export const toFilePath = (folder: string, sha256: string): string =>
  join(toPaths(folder).files, toBlobPath(sha256));

/** Makes a folder that only its owner may enter, and those above it. */
export const makeFolder = (path: string) => mkdir(path, { recursive: true, mode: FOLDER_MODE });

/** Writes a file so that after a power cut it has either its old or its new content. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const fresh = `${path}.new`;
  await rm(fresh, { force: true });
  const handle = await open(fresh, 'wx', FILE_MODE);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(fresh, path);
  await sync(dirname(path));
}

/** Writes bytes to a file that replaces `path` once all of them are there. */
export async function writeStream(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const fresh = `${path}.new`;
  await rm(fresh, { force: true });
  const hash = createHash('sha256');
  let size = 0;
  await pipeline(
    bytes,
    async function* (source: AsyncIterable<Uint8Array>) {
      for await (const piece of source) {
        hash.update(piece);
        size += piece.length;
        yield piece;
      }
    },
    createWriteStream(fresh, { flags: 'wx', mode: FILE_MODE }),
    { signal },
  );
  await rename(fresh, path);
  return { bytes: size, sha256: hash.digest('hex') };
}

/** Compresses bytes into a file. `countRows` is asked for the number of rows at the end. */
export async function pack(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  countRows: () => number,
  signal: AbortSignal,
): Promise<PackedFile> {
  const packed = createGzip(COMPRESSION);
  const [written] = await Promise.all([
    writeStream(path, packed, signal),
    pipeline(bytes, packed, { signal }),
  ]);
  return { rows: countRows(), ...written };
}

/** Reads what was compressed into a file. */
export function unpack(path: string): AsyncIterable<Uint8Array> {
  const unpacked = createGunzip({ chunkSize: COMPRESSION.chunkSize });
  const reading = createReadStream(path);
  reading.on('error', (error) => unpacked.destroy(error));
  return reading.pipe(unpacked);
}

/**
 * The hash of a regular file on the disk; null when there is none. Of one that has more than
 * `bytes`, that of the first ones and the next: it may be any number.
 */
export async function hashFile(path: string, bytes: number, pace: Pace): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    // A pipe or a device need not end.
    if (!(await lstat(path)).isFile()) return null;
    const stream = createReadStream(path, { end: bytes, highWaterMark: 1024 * 1024 });
    for await (const piece of passAt(pace, stream)) hash.update(piece);
    return hash.digest('hex');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Lists the files that a folder of files has, in the order of their names. */
export async function* walkFiles(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walkFiles(path);
    else yield path;
  }
}

/** Flushes all files and folders of a folder to the disk. */
export async function syncTree(folder: string, pace: Pace): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name === LOST_AND_FOUND) continue;
    const path = join(folder, entry.name);
    await (entry.isDirectory() ? syncTree(path, pace) : sync(path));
    await pace.rest();
  }
  await sync(folder);
}

/** Marks a backup as complete, after its manifest was written. */
export async function removeMark(folder: string): Promise<void> {
  await rm(toPaths(folder).unfinished, { force: true });
  await sync(folder);
}
