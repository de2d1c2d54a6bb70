import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { factories, type Json, waitUntil } from '../support/factories.ts';

const app = await startApp();
const { work } = app.app.env;
const f = factories(app);
const ownClient = new pg.Client(app.app.env.db.connection);
await ownClient.connect();
afterAll(() => ownClient.end());

const owner = await f.createAgent();
const threadId = await f.createThread(owner, await f.createRoom(owner));
const readThread = (headers: Record<string, string> = {}) =>
  fetch(`${app.url}/api/v1/threads/${threadId}`, {
    headers: { 'x-api-key': owner.key, ...headers },
  });

/** Sends more requests than may stand, while all of them wait for a locked table. */
async function overload(): Promise<readonly Promise<Response>[]> {
  await ownClient.query('BEGIN; LOCK TABLE threads IN ACCESS EXCLUSIVE MODE');
  const sent = Array.from({ length: 280 }, () => readThread());
  await waitUntil('too many stand', () => work.mustRefuse(owner.id));
  return sent;
}

/** Lets the requests go on, and waits until others are accepted. Returns all their statuses. */
async function endOverload(sent: readonly Promise<Response>[]): Promise<Set<number>> {
  await ownClient.query('COMMIT');
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  await waitUntil('a request is accepted', async () => (await readThread()).status === 200);
  await waitUntil('nothing is in hand', () => work.inHand === 0);
  return new Set(statuses);
}

it('[load.overload] [load.shares] [error.unavailable] refuses at once and recovers', async () => {
  const busy = await overload();
  const refused = await readThread();
  expect(refused.status).toBe(503);
  const { text: metrics } = await f.send('GET', '/metrics', { admin: true });
  expect(metrics).toMatch(/^stoa_overloaded\{kind="requests"\} 1$/m);
  expect(metrics).toMatch(/^stoa_work_in_hand\{kind="requests"\} \d{3}$/m);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(refused.headers.get('content-type')).toContain('application/problem+json');
  const problem = (await refused.json()) as Json;
  expect(problem).toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 1 });
  expect(problem.requestId).toBe(refused.headers.get('x-request-id'));
  const body = JSON.stringify({ body: 'x'.repeat(500_000) });
  const post = await fetch(`${app.url}/api/v1/threads/${threadId}/messages`, {
    method: 'POST',
    headers: { 'x-api-key': owner.key, 'content-type': 'application/json' },
    body,
  });
  expect([post.status, ((await post.json()) as Json).code]).toEqual([503, 'unavailable']);
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200);
  // Whoever has nothing under way is answered.
  expect((await fetch(`${app.url}/api/v1/version`)).status).toBe(200);
  const statuses = await endOverload(busy);
  const { text: after } = await f.send('GET', '/metrics', { admin: true });
  expect(after).toMatch(/^stoa_work_in_hand\{kind="requests"\} 0$/m);
  expect([...statuses].filter((status) => status !== 503)).toEqual([200]);
  expect((await f.ok('GET', `/api/v1/threads/${threadId}/messages`)).total).toBe(1);
});

it('[attack.35-4] (API4) refuses metrics to who has too much under way', async () => {
  const busy = await overload();
  const ask = (path: string) => f.send('GET', path, { key: owner.key, admin: true });
  expect((await ask('/metrics')).status).toBe(503);
  expect((await ask('/healthz')).status).toBe(200);
  await endOverload(busy);
  expect((await ask('/metrics')).status).toBe(200);
});

it('[load.overload] tells people to reload', async () => {
  const busy = await overload();
  const page = await fetch(`${app.url}/`, {
    headers: { accept: 'text/html', 'x-api-key': owner.key },
  });
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await page.text()).toContain('reload this page');
  await endOverload(busy);
});

it('[load.waits-are-no-work] hundreds of waits and unfinished bodies refuse nobody', async () => {
  const stop = new AbortController();
  const readers = await f.createAgents(40);
  const waits: Promise<unknown>[] = [];
  for (const { key } of readers) {
    for (let nr = 0; nr < 8; nr++)
      waits.push(
        fetch(`${app.url}/api/v1/events?wait=60`, {
          headers: { 'x-api-key': key },
          signal: stop.signal,
        }).catch(() => null),
      );
    await waitUntil('they wait', () => app.app.env.load.measure('waits') === waits.length);
  }
  const createBody = () =>
    new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{')) });
  const unfinished = readers.map(({ key }) =>
    fetch(`${app.url}/api/v1/rooms`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: createBody(),
      signal: stop.signal,
      duplex: 'half',
    } as RequestInit).catch(() => null),
  );
  await waitUntil('nothing is in hand', () => work.inHand === 0);
  expect((await readThread()).status).toBe(200);
  stop.abort();
  await Promise.all([...waits, ...unfinished]);
});
