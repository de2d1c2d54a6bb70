import { createHash } from 'node:crypto';
import type { Pieces } from '../../kernel/content.ts';
import { Closed, type TSchema } from '../../kernel/schema/schema.ts';
import { createSerializer } from '../../kernel/schema/serializer.ts';
import type { ExportItem } from './export-items.ts';
import { type ExportRecordType, recordSchemas } from './schemas.ts';

/**
 * Creates the serializer of a record without its `type`. `toLine` writes the type in front of its
 * output, so no record is copied to add a member.
 */
function createWriter(schema: {
  readonly properties: Record<string, TSchema>;
}): (record: unknown) => string {
  const { type: _, ...members } = schema.properties;
  return createSerializer(Closed(members)) as (record: unknown) => string;
}
const writers = Object.fromEntries(
  Object.entries(recordSchemas).map(([type, schema]) => [type, createWriter(schema)]),
) as Record<ExportRecordType, (record: unknown) => string>;

/** Formats a record as a line of JSON with its type first. */
const toLine = ([type, record]: ExportItem): string =>
  `{"type":"${type}",${writers[type](record).slice(1)}\n`;

/**
 * Encodes bytes as base64 piece by piece. Each piece but the last is cut at a multiple of three
 * bytes, so that the encoded pieces can be joined.
 */
async function* encodeBase64(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    yield bytes.toString('base64', 0, whole);
  }
  yield rest.toString('base64');
}

/** What an export reads from while it is written. */
export interface ExportSource {
  readonly batches: AsyncIterable<readonly ExportItem[]>;
  /** Reads the bytes of a file; null when the export does not include them. */
  readonly readContent: ((sha256: string) => AsyncIterable<Uint8Array>) | null;
  /** Called before anything is sent. Errors: anything that it throws aborts the export. */
  readonly assertMayContinue: () => Promise<void>;
}

/**
 * Reads bytes with an empty piece in front of each piece. After that, the reader does something
 * else until the promise that `expect` got is settled.
 */
async function* readInPauses(
  bytes: AsyncIterable<Uint8Array>,
  expect: (arrival: Promise<unknown>) => void,
): AsyncGenerator<Uint8Array> {
  const iterator = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      expect(next.catch(() => {}));
      yield Buffer.of();
      const { done, value } = await next;
      if (done) return;
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}

/**
 * Writes an export as it is sent: each record on a line of its own, and then the line that counts
 * and hashes all lines before it. Some pieces are empty: they leave the turn to others while bytes
 * of a file arrive.
 * Errors: those of `assertMayContinue`, and those of reading batches or files.
 */
export function streamExport(source: ExportSource): Pieces {
  let arrival: Promise<unknown> = Promise.resolve();
  const iterator = writeExport(source, (next) => {
    arrival = next;
  });
  return { [Symbol.asyncIterator]: () => iterator, ready: () => arrival };
}

async function* writeExport(
  { batches, readContent, assertMayContinue }: ExportSource,
  expect: (arrival: Promise<unknown>) => void,
): AsyncGenerator<Buffer> {
  const counts = { room: 0, member: 0, thread: 0, message: 0, file: 0 };
  const hash = createHash('sha256');
  let bytes = 0;
  const addToHash = (text: string): Buffer => {
    const chunk = Buffer.from(text);
    hash.update(chunk);
    bytes += chunk.length;
    return chunk;
  };

  for await (const batch of batches) {
    await assertMayContinue();
    let text = '';
    for (const item of batch) {
      const line = toLine(item);
      if (item[0] !== 'end') counts[item[0]] += 1;
      if (item[0] !== 'file' || !readContent) {
        text += line;
        continue;
      }
      yield addToHash(`${text}${line.replace(/null\}\n$/, '"')}`);
      await assertMayContinue();
      const content = readInPauses(readContent(item[1].sha256), expect);
      for await (const piece of encodeBase64(content)) yield addToHash(piece);
      text = '"}\n';
    }
    yield addToHash(text);
  }
  await assertMayContinue();
  const lines = Object.values(counts).reduce((sum, count) => sum + count);
  yield Buffer.from(toLine(['end', { lines, counts, bytes, sha256: hash.digest('hex') }]));
}
