import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { type Sql, sql } from '../../src/db/sql.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { factories, type TestAgent, waitUntil } from '../support/factories.ts';
import { waitForLocks, whileLocked } from '../support/locks.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const { db } = app.app.env;
const ada = await f.createAgent();
const room = await f.createRoom(ada, 'public');

/** Sends a request, and returns it before it is answered. */
async function send(who: TestAgent, method: string, path: string, body?: object, url = app.url) {
  const sent: ClientRequest = request(url + path, {
    method,
    agent: false,
    headers: {
      'x-api-key': who.key,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    },
  });
  sent.on('error', () => {});
  sent.end(body && JSON.stringify(body));
  await once(sent, 'finish');
  return sent;
}

const countHeld = ({ app: { env } }: TestApp) => [
  env.load.measure('requests'),
  env.load.measure('bodyBytes'),
  env.work.inHand,
];
const waitForRest = (node: TestApp = app) =>
  waitUntil('nothing is held', () => countHeld(node).every((count) => count === 0));

it('[attack.45-1] (API4) a call of a caller that left counts until it has ended', async () => {
  const thread = await f.createThread(ada, room);
  await waitForRest();
  await whileLocked(db, sql`SELECT 1 FROM threads WHERE id = ${thread} FOR UPDATE`, async () => {
    const body = { body: 'Hello.' };
    const accepting = once(app.app.http.server, 'connection');
    const sent = await send(ada, 'POST', `/api/v1/threads/${thread}/messages`, body);
    const [socket] = (await accepting) as [Socket];
    await waitForLocks(db, 1);
    const before = countHeld(app);
    sent.destroy();
    await once(socket, 'close');
    // What is given back at once has been by now.
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(countHeld(app)).toEqual(before);
    expect(before.every((count) => count > 0)).toBe(true);
  });
  await waitForRest();
});

it('[attack.45-2] (API4) a call that waits is not begun for a caller that left', async () => {
  const threads = [0, 1, 2].map(() => f.createThread(ada, room));
  const [one, two, three] = (await Promise.all(threads)) as [string, string, string];
  const others = [await f.createAgent(), await f.createAgent(), await f.createAgent()];
  for (const other of others) await f.joinRoom(other, room);
  const body = { body: 'x '.repeat(10_000) };
  const post = (nr: number, thread: string) =>
    send(others[nr] as TestAgent, 'POST', `/api/v1/threads/${thread}/messages`, body);
  const lock = sql`SELECT 1 FROM threads WHERE id = ANY(${[one, two]}::uuid[]) FOR UPDATE`;
  await whileLocked(db, lock, async () => {
    // Two long posts have the places of long ones.
    await Promise.all([post(0, one), post(1, two)]);
    await waitForLocks(db, 2);
    const sent = await post(2, three);
    await waitUntil('the third waits', () => app.app.env.groupCommit.waiting === 1);
    sent.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  await waitForRest();
  const count = async (id: string) =>
    (await f.ok('GET', `/api/v1/threads/${id}/messages?limit=1`)).total;
  expect([await count(one), await count(two), await count(three)]).toEqual([2, 2, 1]);
});

/** Returns how many reads an agent pays that leaves while a table is locked that its page needs. */
async function countPaid(path: string, lock: Sql): Promise<number> {
  const node = await app.startNode({ RATE_LIMITS: 'reads=500/d' });
  const bob = await f.createAgent();
  await whileLocked(db, lock, async () => {
    const sent = await send(bob, 'GET', path, undefined, node.url);
    await waitForLocks(db, 1);
    // Another node's job may wait too.
    await new Promise((resolve) => setTimeout(resolve, 500));
    sent.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  await waitForRest(node);
  const { headers } = await factories(node).send('GET', '/api/v1/me', { key: bob.key });
  // The last one asks for what is left.
  return 500 - 1 - Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
}

it('[attack.45-3] (API4) a page that was read for a caller that left is paid', async () => {
  const thread = await f.createThread(ada, room, { body: 'a'.repeat(60_000) });
  for (let nr = 0; nr < 9; nr++) await f.postMessage(ada, thread, 'b'.repeat(60_000));
  const lock = sql`LOCK TABLE messages IN ACCESS EXCLUSIVE MODE`;
  // 600 KB are ten reads.
  expect(await countPaid(`/threads/${thread}`, lock)).toBe(10);
});

it('[attack.47-2] (API4) a page that was made for a caller that left is paid', async () => {
  const tags = Array.from({ length: 8 }, (_, nr) => `tag-${nr}-${'a'.repeat(25)}`);
  for (let nr = 0; nr < 50; nr++) await f.createThread(ada, room, { title: '"'.repeat(200), tags });
  const { text } = await f.send('GET', `/rooms/${room}`, { key: ada.key });
  const reads = Math.ceil(Buffer.byteLength(text) / 65_536);
  expect(reads).toBeGreaterThan(1);
  const lock = sql`LOCK TABLE rooms IN ACCESS EXCLUSIVE MODE`;
  expect(await countPaid(`/rooms/${room}`, lock)).toBe(reads);
});
