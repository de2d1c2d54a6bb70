import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { factories, type Json, waitUntil } from '../support/factories.ts';
import { callTool } from './mcp/mcp-client.ts';

const MIB = 1024 * 1024;
const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const author = await f.createAgent();
const room = await f.createRoom(author, 'public');
const COUNT = 40;

/** Every character takes two in JSON, so that a page of 1 MiB is an answer of 2 MiB. */
const thread = await f.createThread(author, room, { body: '"'.repeat(65_000) });
for (let n = 1; n < COUNT; n++) await f.postMessage(author, thread, '"'.repeat(65_000));
const path = `/api/v1/threads/${thread}/messages?limit=100`;

const countBytes = (messages: readonly Json[]): number =>
  messages.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);

describe('a page of long messages', () => {
  it('[attack.2-2] listMessages has at most 1 MiB of bodies, and nextOffset leads on', async () => {
    // Full pages are cached from the second time on.
    for (let round = 0; round < 3; round++) {
      const positions: number[] = [];
      for (let offset: number | null = 0; offset !== null; ) {
        const page: Json = await f.ok('GET', `${path}&offset=${offset}`);
        expect(page.messages.length).toBeGreaterThan(0);
        expect(countBytes(page.messages)).toBeLessThanOrEqual(MIB);
        expect(page).toMatchObject({ offset, total: COUNT });
        positions.push(...page.messages.map(({ position }: Json) => position));
        offset = page.nextOffset;
      }
      expect(positions).toEqual(Array.from({ length: COUNT }, (_, position) => position));
    }
    const { structuredContent } = await callTool(app.url, 'read_messages', {
      threadId: thread,
      limit: 100,
    });
    // A tool's answer has a budget, which the first of these long messages exceeds.
    expect(structuredContent).toMatchObject({ offset: 0, nextOffset: 1 });
  });

  it('[attack.2-2-feed] getThreadFeed has the newest 1 MiB of bodies', async () => {
    const id = await f.createThread(author, room, { body: 'x'.repeat(65_000) });
    for (let n = 1; n < COUNT; n++) await f.postMessage(author, id, 'x'.repeat(65_000));
    const { text } = await f.send('GET', `/threads/${id}/feed.atom`);
    const positions = [...text.matchAll(/<title>#(\d+) by/g)].map(([, position]) => position);
    expect(positions).toEqual(Array.from({ length: 16 }, (_, index) => `${COUNT - 1 - index}`));
  });

  it('[attack.2-2] listMessages keeps the anchor on its page', async () => {
    const last = await f.ok('GET', `${path}&offset=${COUNT - 1}`);
    const page = await f.ok('GET', `${path}&anchorId=${last.messages[0].id}`);
    expect(page.messages.at(-1)).toEqual(last.messages[0]);
    expect({ offset: page.offset, length: page.messages.length }).toEqual({
      offset: COUNT - 9,
      length: 9,
    });
  });
});

/** Asks for many pages one behind the other, and reads no answer. */
function askWithoutReading({ url }: TestApp, key?: string): Socket {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.pause();
  const credential = key === undefined ? '' : `X-API-Key: ${key}\r\n`;
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${credential}\r\n`.repeat(8));
  return socket;
}

/** Holds answers until a caller is refused, and returns the refusal and how to let go. */
async function holdUntilRefused(node: TestApp, key?: string) {
  const sockets: Socket[] = [];
  const release = () => {
    for (const socket of sockets) socket.destroy();
  };
  // The system takes some megabytes of each connection off the process.
  for (let tries = 0; tries < 30; tries++) {
    sockets.push(askWithoutReading(node, key));
    await sleep(100);
    const answer = await factories(node).send('GET', path, { key });
    if (answer.status !== 200) return { answer, release };
  }
  release();
  throw new Error('Nothing was refused.');
}

describe('answers that nobody reads', () => {
  const limits = `responseBytes.agent=${8 * MIB},responseBytes.stranger=${8 * MIB}`;

  it('[attack.2-2] are bounded for callers without a key, and harm no agent', async () => {
    const node = await app.startNode({ LOAD_LIMITS: limits });
    const { answer, release } = await holdUntilRefused(node);
    expect(answer).toMatchObject({
      status: 429,
      body: { code: 'rate_limited', retryAfterSeconds: 2 },
    });
    expect(answer.headers.get('retry-after')).toBe('2');
    const refused = await callTool(node.url, 'read_messages', { threadId: thread, limit: 100 });
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: { code: 'rate_limited', retryAfterSeconds: 2 },
    });
    // What is short, and what an agent reads, is answered.
    expect((await factories(node).send('GET', '/api/v1/version')).status).toBe(200);
    expect((await factories(node).send('GET', path, { key: author.key })).status).toBe(200);
    const metrics = await factories(node).send('GET', '/metrics', { admin: true });
    expect(metrics.text).toMatch(/stoa_under_way\{kind="responseBytes"\} [1-9]/);
    release();
    const { load } = node.app.env;
    await waitUntil('all is given back', () => load.measure('responseBytes') === 0);
    expect((await factories(node).send('GET', path)).status).toBe(200);
  });

  it('[attack.2-2] [attack.27-1] are bounded for each agent, and for all together', async () => {
    const node = await app.startNode({ LOAD_LIMITS: limits });
    const held = await holdUntilRefused(node, author.key);
    expect(held.answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    const other = await f.createAgent();
    expect((await factories(node).send('GET', path, { key: other.key })).status).toBe(200);
    held.release();
    const full = await app.startNode({ LOAD_LIMITS: `responseBytes.process=${8 * MIB}` });
    const { answer, release } = await holdUntilRefused(full, author.key);
    expect(answer).toMatchObject({
      status: 503,
      body: { code: 'unavailable', retryAfterSeconds: 2 },
    });
    // Whoever has much less gets some of it back.
    expect((await factories(full).send('GET', path, { key: other.key })).status).toBe(200);
    release();
  });

  it('[attack.12-1] (API4) count as the Markdown that is made of them', async () => {
    const node = await app.startNode({ LOAD_LIMITS: `responseBytes.stranger=${4 * MIB}` });
    // One byte that ends a line becomes five.
    const body = '\x7f'.repeat(65_000);
    const id = await f.createThread(author, room, { body });
    for (let n = 1; n < 16; n++) await f.postMessage(author, id, body);
    const messages = `/api/v1/threads/${id}/messages`;
    const { send } = factories(node);
    const headers = { accept: 'text/markdown' };
    expect((await send('GET', `${messages}?limit=16`)).status).toBe(200);
    expect(await send('GET', `${messages}?limit=16`, { headers })).toMatchObject({
      status: 429,
      body: { code: 'rate_limited' },
    });
    const { load } = node.app.env;
    await waitUntil('all is given back', () => load.measure('responseBytes') === 0);
    const few = await send('GET', `${messages}?limit=4`, { headers });
    expect(few).toMatchObject({ status: 200 });
    expect(few.text.match(/^ {4}\x7f/gm)).not.toBeNull();
  });

  it('[attack.2-2-computed] listMessages is refused before it reads, and then read', async () => {
    const node = await app.startNode({ LOAD_LIMITS: limits });
    const held = await holdUntilRefused(node, author.key);
    const other = await f.createAgent();
    await app.app.env.db.transaction(async (tx) => {
      // Whatever is computed now waits for this transaction.
      await tx.run(sql`LOCK TABLE messages, threads, rooms IN ACCESS EXCLUSIVE MODE`);
      const over = await factories(node).send('GET', path, { key: author.key });
      expect(over).toMatchObject({
        status: 429,
        body: { code: 'rate_limited', retryAfterSeconds: 2 },
      });
      expect(
        await callTool(
          node.url,
          'read_messages',
          { threadId: thread },
          { 'x-api-key': author.key },
        ),
      ).toMatchObject({ isError: true, structuredContent: { code: 'rate_limited' } });
    });
    // Others, and other operations, are answered.
    expect((await factories(node).send('GET', path, { key: other.key })).status).toBe(200);
    expect((await factories(node).send('GET', '/api/v1/me', { key: author.key })).status).toBe(200);
    held.release();
    const { load } = node.app.env;
    await waitUntil('all is given back', () => load.measure('responseBytes') === 0);
    expect((await factories(node).send('GET', path, { key: author.key })).status).toBe(200);
  });

  it('[attack.2-2] [attack.27-1] (API4) end when they are not taken for 30 s', async () => {
    const node = await app.startNode({ LOAD_LIMITS: 'on' });
    const { server } = node.app.http;
    expect(server.timeout).toBe(30_000);
    // Connections that are opened from here on have less time.
    server.timeout = 200;
    const { key } = await f.createAgent();
    const waits = factories(node).send('GET', '/api/v1/events?cursor=0&wait=2', { key });
    const sockets = Array.from({ length: 3 }, () => askWithoutReading(node));
    // Empty lines begin no request.
    const dripping = setInterval(() => sockets[0]?.write('\r\n'), 20);
    const { load } = node.app.env;
    await waitUntil('answers are held', () => load.measure('responseBytes') > 0);
    await waitUntil('only the wait is left', () => load.measure('responseBytes') === 0);
    expect((await waits).status).toBe(200);
    clearInterval(dripping);
    for (const socket of sockets) socket.destroy();
  });

  it('[attack.2-2] let a connection be used again, and end it when it is idle', async () => {
    const node = await app.startNode();
    node.app.http.server.timeout = 200;
    node.app.http.server.keepAliveTimeout = 300;
    const { hostname, port, host } = new URL(node.url);
    const socket = connect(Number(port), hostname);
    const closed = once(socket, 'close');
    for (let times = 0; times < 2; times++) {
      socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
    }
    await closed;
  });
});
