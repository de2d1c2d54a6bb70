import { createHash } from 'node:crypto';
import { createSerializer } from '../../kernel/schema/serializer.ts';
import { type DatasetLine, datasetLines } from './dataset.schemas.ts';

const serializers = {
  export: createSerializer(datasetLines.export),
  row: createSerializer(datasetLines.row),
  end: createSerializer(datasetLines.end),
};

/** The source of a dataset while it is sent. */
interface DatasetSource {
  readonly header: DatasetLine<'export'>;
  /**
   * Batches of rows. Each batch is read after the previous one was sent, so only one is in memory.
   */
  readonly batches: AsyncIterable<readonly DatasetLine<'row'>[]>;
  /** Is called before anything is sent. If it throws, the response is broken off. */
  readonly assertMayContinue: () => Promise<unknown>;
}

/**
 * Serializes a dataset as NDJSON: the header, one line for each row, and a last line that counts
 * and hashes everything before it. A batch without rows is a piece without bytes.
 * Errors: those of `assertMayContinue` and of the batches.
 */
export async function* serializeDataset({
  header,
  batches,
  assertMayContinue,
}: DatasetSource): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let rows = 0;
  let bytes = 0;
  const hashChunk = (text: string): Buffer => {
    const chunk = Buffer.from(text);
    hash.update(chunk);
    bytes += chunk.length;
    return chunk;
  };
  // The header is sent with the first rows. A failure before them is then an error response instead
  // of a broken one.
  let text = `${serializers.export({ type: 'export', ...header })}\n`;
  for await (const batch of batches) {
    await assertMayContinue();
    if (batch.length === 0) {
      yield Buffer.alloc(0);
      continue;
    }
    rows += batch.length;
    yield hashChunk(
      text + batch.map((row) => `${serializers.row({ type: 'row', ...row })}\n`).join(''),
    );
    text = '';
  }
  await assertMayContinue();
  if (text !== '') yield hashChunk(text);
  yield Buffer.from(
    `${serializers.end({ type: 'end', rows, bytes, sha256: hash.digest('hex') })}\n`,
  );
}
