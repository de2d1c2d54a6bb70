import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ADMIN_KEY } from '../../support/app.ts';
import { buildProblem, runConcurrently } from '../../support/factories.ts';
import { visitor } from '../../support/visitor.ts';
import { countReadThreads, fillWithThreads } from './fill-with-threads.ts';
import {
  buildHead,
  defaults,
  measureCost,
  openSocket,
  readStatus,
  startAttacked,
} from './replay.ts';

/* Attacks on an installation with the settings that it has when nobody set any. */

const { service, f, connection } = await startAttacked(defaults);
const MANY_STREAMS = 1_970;
const MANY_THREADS = 30_000;
/** What the review sent cost a hundred times as much as something harmless. */
const MOST_TIMES = 15;

it('[attack.1-3] [load.waits] (API4, API6) 1,970 streams harm nobody', async () => {
  const attackers = await runConcurrently(3, () => f.createAgent());
  const other = await f.createAgent();
  const thread = await f.createThread(other, await f.createRoom(other));
  const sockets = Array.from({ length: MANY_STREAMS }, (_, index) =>
    openSocket(
      service.url,
      buildHead(service.url, 'GET /api/v1/events/stream', {
        'x-api-key': attackers[index % 3]?.key ?? '',
      }),
    ),
  );
  const statuses = Promise.all(sockets.map(readStatus));
  for (let count = 0; count < 4; count++) {
    const mentions = attackers.map(({ handle }) => `@${handle}`).join(' ');
    await f.postMessage(other, thread, mentions);
    for (let reads = 0; reads < 15; reads++)
      expect((await f.send('GET', '/api/v1/me', other)).status).toBe(200);
  }
  const seen = await statuses;
  const count = (wanted: number) => seen.filter((status) => status === wanted).length;
  // An address that sends so much at once is also told that the service has too much to do.
  const open = count(200);
  expect(open).toBeGreaterThan(0);
  expect(open).toBeLessThanOrEqual(24);
  expect(count(429) + count(503)).toBe(MANY_STREAMS - open);
  expect(await f.send('GET', '/api/v1/events/stream', { key: attackers[0]?.key })).toMatchObject(
    buildProblem(429, 'rate_limited', { detail: expect.stringContaining('at most 8 at once') }),
  );
  for (const socket of sockets) socket.destroy();
});

describe('a repeated idempotency key', () => {
  const refused = buildProblem(400, 'idempotency_key_invalid');
  const rotate = (key: string, idem: string) =>
    f.send('POST', '/api/v1/me/keys/rotate', { key, idem });

  it.each([
    ['the OpenAPI document', '4b1d7c52-6a0e-4f53-9c59-0d6b3f0f8f6e'],
    ['the tool register_agent', '8f14e45f-ceea-467f-a0e6-f2a5c1d2b3a4'],
  ])('[attack.1-4] (API2) registers nobody when it stood in %s', async (_, idem) => {
    const handle = `victim-${idem.slice(0, 4)}`;
    const register = (body: object) => f.send('POST', '/api/v1/agents', { idem, body });
    expect(await register({ handle })).toMatchObject(refused);
    // Whether somebody used the key before cannot be told.
    expect(await register({ handle: `${handle}-2` })).toMatchObject(refused);
  });

  it('[attack.1-4] (API2) gives the holder of a key that was rotated away nothing', async () => {
    const { key } = await f.createAgent();
    expect(await rotate(key, 'rotate-1')).toMatchObject(refused);
    const idem = randomUUID();
    const { apiKey } = (await rotate(key, idem)).body;
    expect((await f.send('GET', '/api/v1/me', { key: apiKey })).status).toBe(200);
    for (const other of [idem, randomUUID()])
      expect(await rotate(key, other)).toMatchObject(buildProblem(401, 'invalid_credential'));
  });
});

describe('half a mebibyte that is no JSON, without a key', () => {
  const members = Array.from({ length: 60_000 }, (_, index) => `"${index}":1`).join(',');
  const unparsable = `{${members},"0":1}`.slice(0, 512 * 1024);

  async function send(path: string, body: string): Promise<number | null> {
    const head = buildHead(service.url, `POST ${path}`, {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'content-length': body.length,
    });
    const socket = openSocket(service.url, head + body);
    const status = await readStatus(socket);
    socket.destroy();
    return status;
  }

  async function sendFifty(body: string): Promise<Set<number | null>> {
    const statuses = new Set<number | null>();
    for (let count = 0; count < 50; count++) statuses.add(await send('/api/v1/rooms', body));
    return statuses;
  }

  it('[attack.1-6] (API4) is refused unread', async () => {
    await sendFifty('{}');
    const usual = await measureCost(service, () => sendFifty('{}'));
    const cost = await measureCost(service, async () => {
      expect([...(await sendFifty(unparsable))]).toEqual([401]);
    });
    expect(cost).toBeLessThan(MOST_TIMES * Math.max(5, usual));
    expect(await send('/mcp', unparsable)).toBe(413);
  });
});

describe('signing out', () => {
  const readToken = (page: string) => /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';

  it.each([
    ['an agent', '/credentials'],
    ['an administrator', '/moderation/intake'],
  ])('[attack.1-9] (ASVS 7.4) ends the copied cookie of %s', async (who, path) => {
    const person = visitor(service);
    await person.signIn(who === 'an agent' ? (await f.createAgent()).key : ADMIN_KEY);
    const copy = visitor(service);
    copy.cookie = person.cookie;
    const before = await copy.open(path);
    expect(before.status).toBe(200);
    const token = (await person.findToken('/session')) ?? '';
    await person.send('/session/end', { end: 'session', token });
    expect(person.cookie).toBe('');
    const after = await copy.open(path);
    expect(after.text).not.toBe(before.text);
    expect(readToken(after.text)).toBe('');
    expect([200, 401]).toContain(after.status);
    expect((await copy.open('/session')).text).toContain('Sign in with a key');
  });
});

// It ends the service, because only then the database knows all that its connections have read.
it('[attack.1-10] (API4) listThreads and getRoom walk no large table for anyone', async () => {
  const owner = await f.createAgent();
  const room = await f.createRoom(owner);
  await fillWithThreads(connection, { room, author: owner.id, count: MANY_THREADS });
  const before = await countReadThreads(connection);
  const deep = runConcurrently(24, () => f.send('GET', '/api/v1/threads?offset=2147483000'));
  for (let reads = 0; reads < 24; reads++) {
    expect((await f.send('GET', '/api/v1/rooms?limit=1')).status).toBe(200);
    expect((await f.send('GET', `/api/v1/rooms/${room}`)).body.threadCount).toBe(MANY_THREADS);
  }
  for (const { status, body } of await deep)
    expect(status === 200 ? body : body.code).toEqual(status === 200 ? [] : 'unavailable');
  expect(await service.end('SIGTERM')).toBe(0);
  expect((await countReadThreads(connection)) - before).toBeLessThan(MANY_THREADS);
});
