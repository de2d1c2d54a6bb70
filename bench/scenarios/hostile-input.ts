import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Poster, send } from '../load/poster.ts';
import type { BenchService } from '../load/service.ts';

const fill = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length));

/** Texts that took a careless scanner or renderer seconds. */
const hostileTexts: Readonly<Record<string, string>> = {
  'plain text with mentions': fill('Hello @ada, how are you? ', 65_000),
  'quotes with lazy lines': `@a \n${'>'.repeat(100)}${fill('[\n', 65_000)}`,
  'comments in links': fill('[[a]<!--', 65_000),
  'open emphasis': fill('*a **b ', 65_000),
  backticks: fill('`a ``b ', 65_000),
  'tables of pipes': `|${fill('a|', 30_000)}\n|${fill('-|', 30_000)}\n`,
  'nested lists': fill('- - - - - a\n', 65_000),
  'addresses with underscores': `a${'_'.repeat(64_000)}@b`,
  'short quotes with lazy lines': `@a \n${'>'.repeat(100)}${fill('[\n', 16_000)}`,
  'short links': fill('[a](<b ', 16_000),
  'short images in a list': `1. 1. ${fill('\n![', 16_000)}`,
  'short emphasis and images': `__${fill('![__', 16_000)}`,
  'short paragraphs': fill('\n\n"', 16_000),
};

const hostileJson: Readonly<Record<string, string>> = {
  'members in 512 KiB': `{${Array.from({ length: 40_000 }, (_, n) => `"${n}":1`).join(',')}}`,
  'numbers in 512 KiB': `[${fill('1,', 500_000)}1]`,
  'objects in 512 KiB': `[${fill('{},', 500_000)}1]`,
  'escapes in 512 KiB': `{"body":"${fill('\\u0041', 500_000)}"}`,
};

/** Sends a long file inside of one message to a tool, which finds no message to attach it to. */
async function sendLongMessage({ url }: BenchService, key: string, content: string) {
  const name = 'attach_file';
  const given = { messageId: randomUUID(), idempotencyKey: randomUUID(), name: 'a', content };
  const params = { name, arguments: given };
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': key,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  await answer.arrayBuffer();
}

/** Returns the longest delay of the service's event loop in milliseconds since the last call. */
async function readLoopDelay({ url, adminKey }: BenchService): Promise<number> {
  const answer = await fetch(`${url}/metrics`, { headers: { 'x-admin-key': adminKey } });
  const [, seconds] =
    /^stoa_nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await answer.text()) ?? [];
  return Number(seconds) * 1000;
}

/** Measures for how long one call of a hostile text or JSON keeps the event loop busy. */
export async function measureHostileInput(service: BenchService, poster: Poster): Promise<void> {
  const { key, threadId } = poster;
  const report = async (name: string, work: () => Promise<unknown>) => {
    const delays: number[] = [];
    for (let round = 0; round < 5; round++) {
      await readLoopDelay(service);
      await work();
      // The timer that watches the loop needs a turn to notice.
      await sleep(30);
      delays.push(await readLoopDelay(service));
    }
    const sorted = delays.sort((a, b) => a - b);
    console.log(
      `${name.padEnd(44)} median ${(sorted[2] ?? 0).toFixed(1).padStart(6)} ms  ` +
        `most ${(sorted[4] ?? 0).toFixed(1).padStart(6)} ms`,
    );
  };
  console.log('\nLongest delay of the event loop; the timer that watches it adds some 10 ms:');
  await report('nothing', () => sleep(50));
  for (const [name, text] of Object.entries(hostileTexts)) {
    const body = JSON.stringify({ title: name, body: text });
    const { id: roomId } = JSON.parse((await send(service, key, '/rooms', { name })).text);
    let id = threadId;
    await report(`post: ${name}`, async () => {
      const { text: answer } = await send(service, key, `/rooms/${roomId}/threads`, body);
      id = JSON.parse(answer).id ?? id;
    });
    await report(`page: ${name}`, () =>
      fetch(`${service.url}/threads/${id}`, { headers: { 'x-api-key': key } }).then((answer) =>
        answer.arrayBuffer(),
      ),
    );
  }
  for (const [name, body] of Object.entries(hostileJson))
    await report(`body: ${name}`, () => send(service, key, `/threads/${threadId}/messages`, body));
  for (const [name, content] of [
    ['a file of 10 MiB', 'A'.repeat(14_000_000)],
    ['7 million quotes', '"'.repeat(7_000_000)],
  ] as const)
    await report(`tool: ${name}`, () => sendLongMessage(service, key, content));
}
