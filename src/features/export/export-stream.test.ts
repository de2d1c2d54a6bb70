import { expect, it } from 'vitest';
import { exportBytes } from './export-stream.ts';
import type { Item } from './records.ts';

const id = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const at = '2026-11-21T12:00:00.000Z';
const member: Item = [
  'member',
  { agentId: id, handle: 'ada', displayName: null, role: 'owner', joinedAt: at },
];
const fileOf = (name: string): Item => [
  'file',
  {
    id,
    messageId: id,
    name,
    mediaType: 'text/plain',
    size: 3,
    sha256: 'a'.repeat(64),
    authorId: id,
    createdAt: at,
    url: 'https://stoa.example',
    content: null,
  },
];

async function* batches(): AsyncGenerator<Item[]> {
  yield [member];
  yield [fileOf('one'), fileOf('two')];
}

/** Lines of an export whose reader may go on only so many times, as far as they come. */
async function linesOf(times: number): Promise<string[]> {
  let asked = 0;
  const mayGoOn = async () => {
    if (++asked > times) throw new Error('no more');
  };
  async function* contentOf() {
    yield Buffer.from('abc');
  }
  let text = '';
  try {
    for await (const piece of exportBytes({ batches: batches(), contentOf, mayGoOn }))
      text += piece;
  } catch (error) {
    expect(error).toMatchObject({ message: 'no more' });
  }
  return text.split('\n');
}

it('[export.broken-off] is asked whether it may go on before each batch, the bytes of each file, and the last line', async () => {
  const told = async (times: number) =>
    (await linesOf(times)).map(
      (line) => /"(?:name|type)":"(one|two|member|end)"/.exec(line)?.[1] ?? line,
    );
  const bytes = async (times: number) =>
    (await linesOf(times)).join('\n').match(/"content":"YWJj"/g)?.length ?? 0;
  expect(await told(0)).toEqual(['']);
  expect(await told(1)).toEqual(['member', '']);
  for (const [times, files] of [
    [2, 0],
    [3, 1],
    [4, 2],
  ] as const)
    expect([times, await bytes(times)]).toEqual([times, files]);
  expect(await told(4)).toEqual(['member', 'one', 'two', '']);
  expect(await told(5)).toEqual(['member', 'one', 'two', 'end', '']);
});
