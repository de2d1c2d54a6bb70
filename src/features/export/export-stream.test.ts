import { expect, it } from 'vitest';
import type { ExportItem } from './export-items.ts';
import { streamExport } from './export-stream.ts';

const id = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const createdAt = '2026-11-21T12:00:00.000Z';
const member: ExportItem = [
  'member',
  { agentId: id, handle: 'ada', displayName: null, role: 'owner', joinedAt: createdAt },
];
const buildFileItem = (name: string): ExportItem => [
  'file',
  {
    id,
    messageId: id,
    name,
    mediaType: 'text/plain',
    size: 3,
    sha256: 'a'.repeat(64),
    authorId: id,
    createdAt,
    url: 'https://stoa.example',
    content: null,
  },
];

async function* readBatches(): AsyncGenerator<ExportItem[]> {
  yield [member];
  yield [buildFileItem('one'), buildFileItem('two')];
}

/** Reads the lines of an export until the reader's access ends, after `times` checks. */
async function readExportLines(times: number): Promise<string[]> {
  let checks = 0;
  const assertMayContinue = async () => {
    if (++checks > times) throw new Error('no more');
  };
  async function* readContent() {
    yield Buffer.from('abc');
  }
  let text = '';
  try {
    for await (const piece of streamExport({
      batches: readBatches(),
      readContent,
      assertMayContinue,
    }))
      text += piece;
  } catch (error) {
    expect(error).toMatchObject({ message: 'no more' });
  }
  return text.split('\n');
}

it('[attack.21-3] (API4) is ready for the next piece when bytes of a file are there', async () => {
  const arrivals: (() => void)[] = [];
  async function* readContent() {
    for (const text of ['ab', 'cd']) {
      await new Promise<void>((resolve) => void arrivals.push(resolve));
      yield Buffer.from(text);
    }
  }
  const pieces = streamExport({
    batches: readBatches(),
    readContent,
    assertMayContinue: async () => {},
  });
  let text = '';
  let waits = 0;
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    let isReady = false;
    const ready = pieces.ready?.().then(() => {
      isReady = true;
    });
    await new Promise(setImmediate);
    if (!isReady) {
      waits += 1;
      arrivals.pop()?.();
    }
    await ready;
    const { done, value } = await iterator.next();
    if (done) break;
    text += value;
  }
  expect(waits).toBe(4);
  expect(text.match(/"content":"YWJjZA=="/g)).toHaveLength(2);
});

it('[export.broken-off] checks access before each batch, file and the last line', async () => {
  const readNames = async (times: number) =>
    (await readExportLines(times)).map(
      (line) => /"(?:name|type)":"(one|two|member|end)"/.exec(line)?.[1] ?? line,
    );
  const countFileContents = async (times: number) =>
    (await readExportLines(times)).join('\n').match(/"content":"YWJj"/g)?.length ?? 0;
  expect(await readNames(0)).toEqual(['']);
  expect(await readNames(1)).toEqual(['member', '']);
  for (const [times, files] of [
    [2, 0],
    [3, 1],
    [4, 2],
  ] as const)
    expect({ times, files: await countFileContents(times) }).toEqual({ times, files });
  expect(await readNames(4)).toEqual(['member', 'one', 'two', '']);
  expect(await readNames(5)).toEqual(['member', 'one', 'two', 'end', '']);
});
