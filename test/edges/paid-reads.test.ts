import { expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { factories, type TestAgent, waitUntil } from '../support/factories.ts';
import { openStream } from '../support/sse.ts';
import { ALL_TOOLS, buildMessage, callTool, sendRpc } from './mcp/mcp-client.ts';

/* What a read costs the service is what its caller pays, however little of it is sent. */

const app = await startApp();
const f = factories(app);
const READS = 500;
const node = await app.startNode({ RATE_LIMITS: `reads=${READS}/d` });
const n = factories(node);

const author = await f.createAgent();
const room = await f.createRoom(author);
const thread = await f.createThread(author, room);
const summary = '😀'.repeat(4_000);
for (let count = 0; count < 24; count++)
  await f.ok('PUT', `/api/v1/threads/${await f.createThread(author, room)}/summary`, {
    key: author.key,
    body: { summary },
  });
const threads = `/api/v1/threads?roomId=${room}&limit=24`;

/** Tells how many reads an agent has left, and pays one for it. */
async function countReadsLeft({ key }: TestAgent): Promise<number> {
  const { headers } = await n.send('GET', '/api/v1/me', { key });
  return Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
}

/** Tells how many reads something costs a new agent. */
async function countReads(act: (agent: TestAgent) => Promise<unknown>): Promise<number> {
  const agent = await f.createAgent();
  await act(agent);
  return READS - 1 - (await countReadsLeft(agent));
}

it('[attack.6-1] (API4) an answer with a budget costs what it costs without', async () => {
  const whole = await countReads(async ({ key }) => {
    const { text } = await n.send('GET', threads, { key });
    expect(Buffer.byteLength(text)).toBeGreaterThan(5 * 64 * 1024);
  });
  expect(whole).toBeGreaterThan(5);
  const short = await countReads(async ({ key }) => {
    const { text } = await n.send('GET', `${threads}&budget=1000`, { key });
    expect(text.length).toBeLessThan(2_100);
  });
  expect(short).toBe(whole);
  const byTool = await countReads(({ key }) =>
    callTool(
      node.url,
      'list_threads',
      { roomId: room, limit: 24, budget: 1_000 },
      { 'x-api-key': key },
    ),
  );
  expect(byTool).toBe(whole);
});

it('[attack.61-1] (API4) a message with a wrong key costs what one without costs', async () => {
  const proxied = await app.startNode({ RATE_LIMITS: `reads=${READS}/d`, TRUST_PROXY: '1' });
  const countFor = async (address: string, key: Record<string, string>) => {
    const headers = { 'x-forwarded-for': address };
    const message = buildMessage('tools/list');
    await sendRpc(proxied.url, message, { ...headers, ...key }, undefined, ALL_TOOLS);
    const left = await factories(proxied).send('GET', '/api/v1/version', { headers });
    return READS - 1 - Number(/;r=(\d+)/.exec(left.headers.get('ratelimit') ?? '')?.[1]);
  };
  const without = await countFor('203.0.113.1', {});
  expect(without).toBeGreaterThan(2);
  expect(await countFor('203.0.113.2', { 'x-api-key': 'x' })).toBe(without);
});

it('[attack.7-2] (API4) a stream that catches up pays for each page', async () => {
  const read = async (agent: TestAgent, cursor: number, last: number) => {
    const query = `?cursor=${cursor}&include=message&budget=100000`;
    const stream = await openStream(node.url, agent.key, query);
    while (Number((await stream.nextEvent())?.id ?? last) < last);
    stream.disconnect();
  };
  const reader = await f.createAgent();
  await f.ok('PUT', `/api/v1/threads/${thread}/subscription`, { key: reader.key });
  for (let count = 0; count < 30; count++) await f.postMessage(author, thread, '😀'.repeat(4_000));
  const { nextCursor } = await f.listEvents(reader);
  expect(nextCursor).toBe(30);
  await read(reader, 0, 30);
  // 30 messages of 16 KB are nearly 8 times what one read pays for.
  await waitUntil('it has paid', async () => (await countReadsLeft(reader)) < READS - 8);
});

it('[attack.21-2] (API4) a file costs a read for each MiB that is asked for', async () => {
  const { id: message } = await f.postMessage(author, thread, 'See the file.');
  const bytes = Buffer.alloc(3 * 1024 * 1024 + 1, 7);
  const { id } = await f.attachFile(author, message, { name: 'a.bin', bytes });
  const read = (headers: Record<string, string>, method = 'GET') =>
    countReads(async ({ key }) => {
      await n.send(method, `/api/v1/files/${id}`, { key, headers });
    });
  expect(await read({})).toBe(4);
  expect(await read({ range: 'bytes=0-2097151' })).toBe(2);
  expect(await read({ range: 'bytes=5-5' })).toBe(1);
  expect(await read({}, 'HEAD')).toBe(1);
  const { headers } = await f.send('HEAD', `/api/v1/files/${id}`, { key: author.key });
  expect(await read({ 'if-none-match': headers.get('etag') ?? '' })).toBe(1);
});

it('[attack.7-3] (API4) arguments that a tool lacks are refused by their number', async () => {
  const { key } = await f.createAgent();
  const given = Object.fromEntries(Array.from({ length: 4_900 }, (_, nr) => [`k${nr}`, 1]));
  const call = (values: object) =>
    sendRpc(node.url, buildMessage('tools/call', { name: 'list_rooms', arguments: values }), {
      'x-api-key': key,
    });
  const { body } = await call(given);
  expect(body.result).toMatchObject({
    isError: true,
    structuredContent: { code: 'invalid_request' },
  });
  const { errors, detail } = body.result.structuredContent;
  expect(errors).toHaveLength(20);
  expect(errors[0].pointer).toBe('/arguments/k0');
  expect(detail).toContain('(and 4899 more)');
  // A message is paid by its length, too.
  const before = await countReadsLeft({ key } as TestAgent);
  await call(given);
  expect(before - (await countReadsLeft({ key } as TestAgent))).toBeGreaterThan(2);
  const known = await call({ limit: 5 });
  expect(known.body.result.isError).toBeUndefined();
});

it('[attack.49-1] (API4) a resource that is too long is paid as far as it was read', async () => {
  const read = (uri: string) => (agent: TestAgent) =>
    sendRpc(node.url, buildMessage('resources/read', { uri }), { 'x-api-key': agent.key }).then(
      ({ body }) => expect(body.error.data).toMatchObject({ code: 'payload_too_large' }),
    );
  const { id: message } = await f.postMessage(author, thread, 'See the texts.');
  const attach = (bytes: string) => f.attachFile(author, message, { name: 'text.txt', bytes });
  const words = 'Plain words. '.repeat(400);
  const controls = await attach(words + '\u0001'.repeat(600_000));
  // 2 MiB as JSON are 32 reads.
  expect(await countReads(read(`stoa://files/${controls.id}`))).toBeGreaterThan(30);
  const long = await attach(words + 'a'.repeat(1024 * 1024));
  expect(await countReads(read(`stoa://files/${long.id}`))).toBe(1);
  const lines = await f.createThread(author, room);
  for (let count = 0; count < 8; count++) await f.postMessage(author, lines, 'a\n'.repeat(30_000));
  expect(await countReads(read(`stoa://threads/${lines}`))).toBeGreaterThan(8);
});

it('[attack.49-3] (API4) the description of the API is paid by its length', async () => {
  const strict = await app.startNode({ RATE_LIMITS: 'reads=1000/d' });
  const ask = async () => {
    const { headers, text } = await factories(strict).send('GET', '/openapi.json');
    return { left: Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]), text };
  };
  const first = await ask();
  const second = await ask();
  const reads = Math.ceil(Buffer.byteLength(first.text) / 65_536);
  expect(reads).toBeGreaterThan(1);
  expect(first.left - second.left).toBe(reads);
});
