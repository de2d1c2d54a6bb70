import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportError } from './import-error.ts';

/**
 * Returns the SHA-256 of a file in hexadecimal digits, without unpacking it.
 * Errors: ImportError when it cannot be read.
 */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    throw new ImportError(
      `${path} cannot be read (${(error as Error).message}): give the path of an .ndjson or ` +
        '.ndjson.gz file.',
    );
  }
  return hash.digest('hex');
}

/** Reads a file's bytes, and unpacks them if they begin like gzip (RFC 1952, section 2.3.1). */
export async function openBytes(path: string): Promise<AsyncIterable<Buffer>> {
  const file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
  await file.close();
  const bytes = createReadStream(path, { highWaterMark: 256 * 1024 });
  if (buffer.readUInt16BE() !== 0x1f8b) return bytes;
  const unpacked = createGunzip();
  // An error of either stream reaches the reader through `unpacked`.
  pipeline(bytes, unpacked, () => {});
  return unpacked;
}

/** A line without its line end. */
export interface Line {
  /** The number of the line, from 1. */
  readonly line: number;
  /** Null for a line that is too long to be kept in memory. */
  readonly bytes: Buffer | null;
}

/** Splits bytes into lines, one at a time, so memory does not grow with their number. */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line> {
  let line = 0;
  let parts: Uint8Array[] = [];
  let length = 0;
  const addPart = (part: Uint8Array) => {
    length += part.length;
    if (length > maxBytes) parts = [];
    else parts.push(part);
  };
  const takeLine = (): Line => {
    const bytes = length > maxBytes ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    line += 1;
    return { line, bytes };
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      addPart(chunk.subarray(start, end));
      yield takeLine();
      start = end + 1;
    }
    addPart(chunk.subarray(start));
  }
  if (length > 0) yield takeLine();
}

/**
 * Reads the lines of a file.
 * Errors: ImportError when it ends within a gzip stream or cannot be read further.
 */
export async function* readLines(path: string, maxBytes: number): AsyncGenerator<Line> {
  let read = 0;
  try {
    for await (const line of splitLines(await openBytes(path), maxBytes)) {
      read = line.line;
      yield line;
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError(
      `${path} cannot be read beyond line ${read} (${(error as Error).message}): get the ` +
        'file again.',
    );
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes a line. Errors: TypeError when it is not UTF-8. */
export const decodeText = (bytes: Buffer): string => utf8.decode(bytes);
