import { createHash } from 'node:crypto';
import { serializer } from '../../kernel/schema/serializer.ts';
import { type LineOf, lines } from './schemas.ts';

const writers = {
  export: serializer(lines.export),
  row: serializer(lines.row),
  end: serializer(lines.end),
};

/** What a dataset asks of the world while it is written. */
interface Source {
  readonly header: LineOf<'export'>;
  /** Rows, some at a time: only those are in memory, and each batch is found when the one before has left. */
  readonly batches: AsyncIterable<readonly LineOf<'row'>[]>;
  /** Asked before anything leaves. Errors: whatever it throws breaks the answer off. */
  readonly mayGoOn: () => Promise<unknown>;
}

/** A dataset as it is sent: its header, each row a line, then the line that counts and hashes what went before. */
export async function* datasetBytes({ header, batches, mayGoOn }: Source): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let [rows, bytes] = [0, 0];
  const note = (text: string): Buffer => {
    const chunk = Buffer.from(text);
    hash.update(chunk);
    bytes += chunk.length;
    return chunk;
  };
  // Sent with the first rows: what goes wrong before them is answered as an error, and not broken off.
  let text = `${writers.export({ type: 'export', ...header })}\n`;
  for await (const batch of batches) {
    await mayGoOn();
    rows += batch.length;
    yield note(text + batch.map((row) => `${writers.row({ type: 'row', ...row })}\n`).join(''));
    text = '';
  }
  await mayGoOn();
  if (text !== '') yield note(text);
  yield Buffer.from(`${writers.end({ type: 'end', rows, bytes, sha256: hash.digest('hex') })}\n`);
}
