import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportError } from './import-error.ts';

/** SHA-256 of the file as it lies there, as hex digits. Errors: ImportError when it cannot be read. */
export async function fileSha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    throw new ImportError(
      `${path} cannot be read (${(error as Error).message}): give the path of an .ndjson or .ndjson.gz file.`,
    );
  }
  return hash.digest('hex');
}

/** The file's bytes, unpacked when it begins as gzip does, whatever its name. */
export async function openBytes(path: string): Promise<AsyncIterable<Buffer>> {
  const file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  await file.close();
  const bytes = createReadStream(path, { highWaterMark: 256 * 1024 });
  if (buffer.readUInt16BE() !== 0x1f8b) return bytes;
  const unpacked = createGunzip();
  // An error of either end reaches the reader as an error of what it reads.
  pipeline(bytes, unpacked, () => {});
  return unpacked;
}

/** A line without its end; null for one that is longer than what is kept in memory. */
export interface Line {
  /** From 1. */
  readonly line: number;
  readonly bytes: Buffer | null;
}

/** The lines of some bytes, one at a time: memory does not grow with their number. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<Line> {
  let line = 0;
  let parts: Uint8Array[] = [];
  let length = 0;
  const keep = (part: Uint8Array) => {
    length += part.length;
    if (length > mostBytes) parts = [];
    else parts.push(part);
  };
  const take = (): Line => {
    const bytes = length > mostBytes ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    line += 1;
    return { line, bytes };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      keep(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield take();
}

/** The lines of a file. Errors: ImportError when it ends within a gzip stream or cannot be read any more. */
export async function* readLines(path: string, mostBytes: number): AsyncGenerator<Line> {
  let read = 0;
  try {
    for await (const line of linesOf(await openBytes(path), mostBytes)) {
      read = line.line;
      yield line;
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      `${path} cannot be read beyond line ${read} (${(error as Error).message}): get the file again.`,
    );
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a line. Errors: TypeError when it is not UTF-8. */
export const textOf = (bytes: Buffer): string => utf8.decode(bytes);
