import { readFileSync } from 'node:fs';
import { describe, expect, inject, it } from 'vitest';
import { SERVICE_ROLE } from '../../src/db/roles.ts';
import { createDatabase } from '../support/database.ts';
import {
  call,
  factories,
  type Json,
  type RequestOptions,
  runConcurrently,
  waitUntil,
} from '../support/factories.ts';
import {
  expectCleanLogs,
  isProcessAlive,
  startService,
  toDatabaseUrl,
} from '../support/service.ts';
import { openStream } from '../support/sse.ts';

const connection = await createDatabase(inject('server'));
const env = {
  DATABASE_URL: toDatabaseUrl({ ...connection, user: SERVICE_ROLE }),
  DATABASE_OWNER_URL: toDatabaseUrl(connection),
};
const beganAt = Date.now();
const service = await startService({
  ...env,
  WORKERS: '2',
  RATE_LIMITS: 'registrations=12/h,reads=40/h,writes=5000/h',
});
const f = factories(service);
const secrets: string[] = [];

/** Calls on a connection of its own, which the next worker accepts. */
const callOnNewConnection = (method: string, path: string, options: RequestOptions = {}) =>
  call(service.url, method, path, {
    ...options,
    headers: { connection: 'close', ...options.headers },
  });

const listRequests = () =>
  service
    .listLogs()
    .flatMap((line): Json[] => (line.includes('"msg":"request"') ? [JSON.parse(line)] : []));
/** Lists the processes that answered requests of an operation. */
const listWorkers = (operation: string) =>
  new Set(listRequests().flatMap((line) => (line.operation === operation ? [line.pid] : [])));

/** The log entry follows the answer with a delay. */
const waitUntilBothAnswered = (operation: string) =>
  waitUntil('both workers took part', () => listWorkers(operation).size === 2);

await waitUntil('both serve', async () => {
  await callOnNewConnection('GET', '/api/v1/agents', { admin: true });
  return listWorkers('listAgents').size === 2;
});

/** Registers without using up what the tests of limits count. */
async function registerAgent(handle: string) {
  const { body } = await callOnNewConnection('POST', '/api/v1/agents', {
    admin: true,
    body: { handle },
  });
  secrets.push(body.apiKey);
  return { id: body.agent.id as string, handle, key: body.apiKey as string };
}

async function setUp(name: string) {
  const ada = await registerAgent(`ada-${name}`);
  const bob = await registerAgent(`bob-${name}`);
  const roomId = await f.createRoom(ada);
  await f.joinRoom(bob, roomId);
  return { ada, bob, threadId: await f.createThread(ada, roomId) };
}

/** Sums the agents that wait for events, of all workers. */
const countWaiting = async () =>
  Number(
    /^stoa_event_waiters (\d+)$/m.exec(
      (await callOnNewConnection('GET', '/metrics', { admin: true })).text,
    )?.[1],
  );

describe('two workers on one port', () => {
  it('[attack.61-3] (V14) know nothing of the role that migrates', () => {
    const workers = [...listWorkers('listAgents')];
    const environments = workers.map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8'));
    expect(environments).toHaveLength(2);
    for (const environment of environments) {
      expect(environment).toContain('DATABASE_URL=');
      expect(environment).not.toContain('DATABASE_OWNER_URL');
    }
  });

  it('[ops.workers] [idem.race] store one message of a post sent to both at once', async () => {
    const { ada, bob, threadId } = await setUp('race');
    const sent = { key: bob.key, idem: 'the-same', body: { body: 'A secret body, once' } };
    const answers = await runConcurrently(10, () =>
      callOnNewConnection('POST', `/api/v1/threads/${threadId}/messages`, sent),
    );
    const made = answers.filter(({ status }) => status === 200);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const { status, body } of answers) expect([200, 409], body.code).toContain(status);
    expect(
      await callOnNewConnection('POST', `/api/v1/threads/${threadId}/messages`, sent),
    ).toMatchObject({
      status: 200,
      text: made[0]?.text,
    });
    await waitUntilBothAnswered('postMessage');
    expect(
      await f.ok('GET', `/api/v1/threads/${threadId}/messages`, { key: ada.key }),
    ).toMatchObject({ total: 2 });
  });

  it('[ops.workers] [admin.block-at-once] [key.revoke] obey blocks and revocations', async () => {
    const { ada, bob } = await setUp('revoked');
    const getMe = (key: string) =>
      runConcurrently(
        6,
        async () => (await callOnNewConnection('GET', '/api/v1/me', { key })).body.code ?? 'fine',
      );
    for (const { key } of [ada, bob]) expect(new Set(await getMe(key))).toEqual(new Set(['fine']));
    await callOnNewConnection('PUT', `/api/v1/admin/agents/${ada.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    await callOnNewConnection('DELETE', '/api/v1/me/keys/current', { key: bob.key });
    expect(new Set(await getMe(ada.key))).toEqual(new Set(['agent_blocked']));
    expect(new Set(await getMe(bob.key))).toEqual(new Set(['invalid_credential']));
    await waitUntilBothAnswered('getMe');
  });

  it('[ops.workers] [event.wake-across] wake the readers of both, whoever posted', async () => {
    const { ada, bob, threadId } = await setUp('woken');
    const startReaders = () =>
      runConcurrently(4, () =>
        callOnNewConnection('GET', '/api/v1/events?wait=60', { key: ada.key, admin: true }),
      );
    const reading = startReaders();
    await waitUntil('readers wait in both', async () => (await countWaiting()) === 2);
    const { id } = await f.postMessage(bob, threadId, 'A secret body for all');
    for (const { body } of await reading)
      expect(body.events).toMatchObject([{ id: 1, messageId: id }]);
    await waitUntilBothAnswered('listEvents');
  });

  it('[ops.workers] [cli.status] tell when the first of them started', async () => {
    const { text } = await callOnNewConnection('GET', '/metrics', { admin: true });
    const started = Number(/^stoa_process_start_time_seconds (\d+)$/m.exec(text)?.[1]) * 1000;
    expect(started).toBeGreaterThanOrEqual(beganAt - 1000);
    expect(started).toBeLessThanOrEqual(Date.now() + 1000);
  });

  it('[ops.workers] replace a killed worker and lose nothing', async () => {
    const { ada, bob, threadId } = await setUp('killed');
    const [victim] = listWorkers('getMe');
    process.kill(victim, 'SIGKILL');
    await waitUntil('it is gone', async () => !(await isProcessAlive(victim)));
    // A connection that was being handed to the dying worker gets no answer, so a client gives up
    // and asks again.
    const getMe = () =>
      callOnNewConnection('GET', '/api/v1/me', {
        key: bob.key,
        admin: true,
        signal: AbortSignal.timeout(1_000),
      }).catch(() => undefined);
    await waitUntil('another one answers', async () => {
      await runConcurrently(4, getMe);
      return listWorkers('getMe').size === 3;
    });
    await f.postMessage(bob, threadId, 'A secret body after all');
    expect(
      await f.ok('GET', `/api/v1/threads/${threadId}/messages`, { key: ada.key, admin: true }),
    ).toMatchObject({ total: 2 });
  });

  it('[ops.workers] share the limits', async () => {
    const outcomes = await runConcurrently(20, (index) =>
      callOnNewConnection('POST', '/api/v1/agents', { body: { handle: `crowd-${index}` } }),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      ...Array(12).fill(200),
      ...Array(8).fill(429),
    ]);
    const { key } = await registerAgent('limited');
    const reads = await runConcurrently(60, () =>
      callOnNewConnection('GET', '/api/v1/me/capabilities', { key }),
    );
    // The total never exceeds the bucket. A worker may keep a token of the last batch that nobody
    // requests.
    const served = reads.filter(({ status }) => status === 200).length;
    expect([39, 40]).toContain(served);
    expect(reads.filter(({ status }) => status === 429)).toHaveLength(60 - served);
    await waitUntilBothAnswered('listMyCapabilities');
  });

  it('[ops.sigterm] [ops.sigterm-waiters] [ops.workers] finish requests at SIGTERM', async () => {
    const { ada, bob, threadId } = await setUp('going');
    const stream = await openStream(service.url, ada.key);
    await stream.next();
    const waiting = callOnNewConnection('GET', '/api/v1/events?wait=60', { key: bob.key });
    // A connection that no worker has accepted yet ends with the service.
    await waitUntil('both wait', async () => (await countWaiting()) === 2);
    const post = (at: string, number: number) =>
      call(at, 'POST', `/api/v1/threads/${threadId}/messages`, {
        key: bob.key,
        idem: `post-${number}`,
        body: { body: `A secret body ${number}` },
      });
    const posting = Array.from({ length: 40 }, (_, number) => post(service.url, number));
    await Promise.race(posting);
    expect(await service.end('SIGTERM')).toBe(0);
    for (const pid of new Set(listRequests().map((line) => line.pid)))
      expect(await isProcessAlive(pid)).toBe(false);

    const first = await Promise.allSettled(posting);
    const endings = first.map((one) =>
      one.status === 'fulfilled' ? one.value.status : 'no connection',
    );
    expect(endings).toContain(200);
    expect(endings.filter((ending) => ![200, 503, 'no connection'].includes(ending))).toEqual([]);
    expect(await waiting).toMatchObject({ status: 200, body: { events: [], nextCursor: 0 } });
    const seen: string[] = [];
    for (let event = await stream.nextEvent(); event; event = await stream.nextEvent())
      seen.push(event.id);

    const back = await startService(env);
    const again = await runConcurrently(40, (number) => post(back.url, number));
    for (const [number, one] of first.entries()) {
      expect(again[number]?.status).toBe(200);
      if (one.status === 'fulfilled' && one.value.status === 200)
        expect(again[number]?.text).toBe(one.value.text);
    }
    const { messages } = (
      await call(back.url, 'GET', `/api/v1/threads/${threadId}/messages?limit=100`)
    ).body;
    expect(messages.map(({ body }: Json) => body).sort()).toEqual(
      ['First.', ...again.map((_, number) => `A secret body ${number}`)].sort(),
    );
    const later = await openStream(back.url, ada.key, '', { 'last-event-id': seen.at(-1) ?? '0' });
    while (seen.length < 40) seen.push((await later.nextEvent())?.id ?? 'the end');
    later.disconnect();
    expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => String(index + 1)));
    expect(await back.end('SIGINT')).toBe(0);
  });

  it('[ops.logs] log no key and no text', () => {
    expectCleanLogs([...secrets, 'A secret body']);
  });
});
