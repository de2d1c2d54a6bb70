import { createHash } from 'node:crypto';
import { Closed, type TSchema } from '../../kernel/schema/schema.ts';
import { serializer } from '../../kernel/schema/serializer.ts';
import type { Item } from './records.ts';
import { type RecordType, records } from './schemas.ts';

/** The type is written before what the record's own schema writes: no record is copied for it. */
function writerOf(schema: {
  readonly properties: Record<string, TSchema>;
}): (record: unknown) => string {
  const { type: _, ...members } = schema.properties;
  return serializer(Closed(members)) as (record: unknown) => string;
}
const writers = Object.fromEntries(
  Object.entries(records).map(([type, schema]) => [type, writerOf(schema)]),
) as Record<RecordType, (record: unknown) => string>;

const lineOf = ([type, record]: Item): string =>
  `{"type":"${type}",${writers[type](record).slice(1)}\n`;

/** Base64 of bytes, piece by piece: each piece but the last is cut where three bytes are four characters. */
async function* base64(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    yield bytes.toString('base64', 0, whole);
  }
  yield rest.toString('base64');
}

/** What an export asks of the world while it is written. */
export interface Source {
  readonly batches: AsyncIterable<readonly Item[]>;
  /** The bytes of a file; null when they are not wanted. */
  readonly contentOf: ((sha256: string) => AsyncIterable<Uint8Array>) | null;
  /** Asked before anything leaves. Errors: whatever it throws breaks the export off. */
  readonly mayGoOn: () => Promise<void>;
}

/** An export as it is sent: each record a line, then the line that counts and hashes what went before. */
export async function* exportBytes({
  batches,
  contentOf,
  mayGoOn,
}: Source): AsyncGenerator<Buffer> {
  const counts = { room: 0, member: 0, thread: 0, message: 0, file: 0 };
  const hash = createHash('sha256');
  let bytes = 0;
  const note = (text: string): Buffer => {
    const chunk = Buffer.from(text);
    hash.update(chunk);
    bytes += chunk.length;
    return chunk;
  };

  for await (const batch of batches) {
    await mayGoOn();
    let text = '';
    for (const item of batch) {
      const line = lineOf(item);
      if (item[0] !== 'end') counts[item[0]] += 1;
      if (item[0] !== 'file' || !contentOf) {
        text += line;
        continue;
      }
      yield note(`${text}${line.replace(/null\}\n$/, '"')}`);
      await mayGoOn();
      for await (const piece of base64(contentOf(item[1].sha256))) yield note(piece);
      text = '"}\n';
    }
    yield note(text);
  }
  await mayGoOn();
  const lines = Object.values(counts).reduce((sum, count) => sum + count);
  yield Buffer.from(lineOf(['end', { lines, counts, bytes, sha256: hash.digest('hex') }]));
}
