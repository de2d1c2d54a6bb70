import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ImportError } from './import-error.ts';
import { type BadLine, parseStatement, type Statement } from './statement.ts';

/** A longer line is not kept in memory: no message could be that long. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** SHA-256 of the file as it lies there, as hex digits. Errors: ImportError when it cannot be read. */
export async function fileSha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    throw new ImportError(`${path} cannot be read (${(error as Error).message}): give the path of an .ndjson or .ndjson.gz file.`);
  }
  return hash.digest('hex');
}

/** The file's bytes, unpacked when it begins as gzip does, whatever its name. */
async function openBytes(path: string): Promise<AsyncIterable<Buffer>> {
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

/** Lines without their ends; null for one that is too long. */
async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  let parts: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer) => {
    length += part.length;
    parts = length > MAX_LINE_BYTES ? [] : [...parts, part];
  };
  const take = () => {
    const line = length > MAX_LINE_BYTES ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
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

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseLine(line: number, bytes: Buffer | null): Statement | BadLine | null {
  if (bytes === null) return { line, fault: `has more than ${MAX_LINE_BYTES / 1024 / 1024} MiB` };
  try {
    const text = utf8.decode(bytes);
    return text.trim() === '' ? null : parseStatement(line, text);
  } catch {
    return { line, fault: 'is not UTF-8' };
  }
}

/**
 * The statements of a file, one at a time: memory does not grow with it. Empty lines are passed over, bad ones told.
 * Errors: ImportError when the file ends within a gzip stream or cannot be read any more.
 */
export async function* readStatements(path: string, bad: (line: BadLine) => void = () => {}): AsyncGenerator<Statement> {
  let line = 0;
  try {
    for await (const bytes of readLines(await openBytes(path))) {
      const parsed = parseLine(++line, bytes);
      if (parsed === null) continue;
      if ('fault' in parsed) bad(parsed);
      else yield parsed;
    }
  } catch (error) {
    throw error instanceof ImportError
      ? error
      : new ImportError(`${path} cannot be read beyond line ${line} (${(error as Error).message}): get the file again.`);
  }
}
