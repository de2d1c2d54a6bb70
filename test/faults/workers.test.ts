import { afterAll, describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { call, factories, type Loose, type RequestOptions, together, until } from '../support/factories.ts';
import { alive, expectCleanLogs, serve, urlOf } from '../support/service.ts';
import { openStream } from '../support/sse.ts';

const { connection, drop } = await createDatabase(inject('server'));
const env = { DATABASE_URL: urlOf(connection) };
const service = await serve({
  ...env,
  WORKERS: '2',
  RATE_LIMITS: 'registrations=12/h,reads=40/h,writes=5000/h',
});
const f = factories(service);
const secrets: string[] = [];
afterAll(drop);

/** A call on a connection of its own: the next worker takes it. */
const fresh = (method: string, path: string, options: RequestOptions = {}) =>
  call(service.url, method, path, {
    ...options,
    headers: { connection: 'close', ...options.headers },
  });

const requests = () =>
  service
    .logs()
    .flatMap((line): Loose[] => (line.includes('"msg":"request"') ? [JSON.parse(line)] : []));
/** Processes that answered requests of an operation. */
const answered = (operation: string) =>
  new Set(requests().flatMap((line) => (line.operation === operation ? [line.pid] : [])));

/** The log comes a moment after the answer. */
const bothAnswered = (operation: string) =>
  until('both workers took part', () => answered(operation).size === 2);

await until('both serve', async () => {
  await fresh('GET', '/api/v1/agents', { admin: true });
  return answered('listAgents').size === 2;
});

/** Registers without using up what the tests of limits count. */
async function agent(handle: string) {
  const { body } = await fresh('POST', '/api/v1/agents', { admin: true, body: { handle } });
  secrets.push(body.apiKey);
  return { id: body.agent.id as string, handle, key: body.apiKey as string };
}

async function scene(name: string) {
  const [ada, bob] = [await agent(`ada-${name}`), await agent(`bob-${name}`)];
  const roomId = await f.room(ada);
  await f.join(bob, roomId);
  return { ada, bob, threadId: await f.thread(ada, roomId) };
}

describe('two workers on one port', () => {
  it('[ops.workers] [idem.race] make one message of the same post, sent to both at once', async () => {
    const { ada, bob, threadId } = await scene('race');
    const sent = { key: bob.key, idem: 'the-same', body: { body: 'A secret body, once' } };
    const answers = await together(10, () =>
      fresh('POST', `/api/v1/threads/${threadId}/messages`, sent),
    );
    const made = answers.filter(({ status }) => status === 200);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    for (const { status, body } of answers) expect([200, 409], body.code).toContain(status);
    expect(await fresh('POST', `/api/v1/threads/${threadId}/messages`, sent)).toMatchObject({
      status: 200,
      text: made[0]?.text,
    });
    await bothAnswered('postMessage');
    expect(
      await f.ok('GET', `/api/v1/threads/${threadId}/messages`, { key: ada.key }),
    ).toMatchObject({ total: 2 });
  });

  it('[ops.workers] [admin.block-at-once] [key.revoke] obey a block and a revocation at their next request', async () => {
    const { ada, bob } = await scene('revoked');
    const ask = (key: string) =>
      together(6, async () => (await fresh('GET', '/api/v1/me', { key })).body.code ?? 'fine');
    for (const { key } of [ada, bob]) expect(new Set(await ask(key))).toEqual(new Set(['fine']));
    await fresh('PUT', `/api/v1/admin/agents/${ada.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    await fresh('DELETE', '/api/v1/me/keys/current', { key: bob.key });
    expect(new Set(await ask(ada.key))).toEqual(new Set(['agent_blocked']));
    expect(new Set(await ask(bob.key))).toEqual(new Set(['invalid_credential']));
    await bothAnswered('getMe');
  });

  it('[ops.workers] [event.wake-across] wake readers of both, whoever posted', async () => {
    const { ada, bob, threadId } = await scene('woken');
    const readers = () =>
      together(4, () => fresh('GET', '/api/v1/events?wait=60', { key: ada.key, admin: true }));
    const reading = readers();
    const waiting = async () =>
      Number(
        /^stoa_event_waiters (\d+)$/m.exec(
          (await fresh('GET', '/metrics', { admin: true })).text,
        )?.[1],
      );
    await until('readers wait in both', async () => (await waiting()) === 2);
    const { id } = await f.post(bob, threadId, 'A secret body for all');
    for (const { body } of await reading)
      expect(body.events).toMatchObject([{ id: 1, messageId: id }]);
    await bothAnswered('listEvents');
  });

  it('[ops.workers] replace one that was killed, and lose nothing', async () => {
    const { ada, bob, threadId } = await scene('killed');
    const [victim] = answered('getMe');
    process.kill(victim, 'SIGKILL');
    await until('it is gone', async () => !(await alive(victim)));
    // A connection that was being handed to the dying one gets no answer: a client gives up and asks again.
    const ask = () =>
      fresh('GET', '/api/v1/me', {
        key: bob.key,
        admin: true,
        signal: AbortSignal.timeout(1_000),
      }).catch(() => undefined);
    await until('another one answers', async () => {
      await together(4, ask);
      return answered('getMe').size === 3;
    });
    await f.post(bob, threadId, 'A secret body after all');
    expect(
      await f.ok('GET', `/api/v1/threads/${threadId}/messages`, { key: ada.key, admin: true }),
    ).toMatchObject({ total: 2 });
  });

  it('[ops.workers] share the limits', async () => {
    const outcomes = await together(20, (index) =>
      fresh('POST', '/api/v1/agents', { body: { handle: `crowd-${index}` } }),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      ...Array(12).fill(200),
      ...Array(8).fill(429),
    ]);
    const { key } = await agent('limited');
    const reads = await together(60, () => fresh('GET', '/api/v1/me/capabilities', { key }));
    // Never more than the bucket holds; of the last lot a worker may keep a token that nobody asks it for.
    const served = reads.filter(({ status }) => status === 200).length;
    expect([39, 40]).toContain(served);
    expect(reads.filter(({ status }) => status === 429)).toHaveLength(60 - served);
    await bothAnswered('listMyCapabilities');
  });

  it('[ops.sigterm] [ops.sigterm-waiters] [ops.workers] finish what is in hand, end who waits, and go', async () => {
    const { ada, bob, threadId } = await scene('going');
    const stream = await openStream(service.url, ada.key);
    await stream.next();
    const waiting = fresh('GET', '/api/v1/events?wait=60', { key: bob.key });
    const post = (at: string, number: number) =>
      call(at, 'POST', `/api/v1/threads/${threadId}/messages`, {
        key: bob.key,
        idem: `post-${number}`,
        body: { body: `A secret body ${number}` },
      });
    const posting = Array.from({ length: 40 }, (_, number) => post(service.url, number));
    await Promise.race(posting);
    expect(await service.end('SIGTERM')).toBe(0);
    for (const pid of new Set(requests().map((line) => line.pid)))
      expect(await alive(pid)).toBe(false);

    const first = await Promise.allSettled(posting);
    const endings = first.map((one) =>
      one.status === 'fulfilled' ? one.value.status : 'no connection',
    );
    expect(endings).toContain(200);
    expect(endings.filter((ending) => ![200, 503, 'no connection'].includes(ending))).toEqual([]);
    expect(await waiting).toMatchObject({ status: 200, body: { events: [], nextCursor: 0 } });
    const seen: string[] = [];
    for (let event = await stream.event(); event; event = await stream.event()) seen.push(event.id);

    const back = await serve(env);
    const again = await together(40, (number) => post(back.url, number));
    for (const [number, one] of first.entries()) {
      expect(again[number]?.status).toBe(200);
      if (one.status === 'fulfilled' && one.value.status === 200)
        expect(again[number]?.text).toBe(one.value.text);
    }
    const { messages } = (
      await call(back.url, 'GET', `/api/v1/threads/${threadId}/messages?limit=100`)
    ).body;
    expect(messages.map(({ body }: Loose) => body).sort()).toEqual(
      ['First.', ...again.map((_, number) => `A secret body ${number}`)].sort(),
    );
    const later = await openStream(back.url, ada.key, '', { 'last-event-id': seen.at(-1) ?? '0' });
    while (seen.length < 40) seen.push((await later.event())?.id ?? 'the end');
    later.leave();
    expect(seen).toEqual(Array.from({ length: 40 }, (_, index) => String(index + 1)));
    expect(await back.end('SIGINT')).toBe(0);
  });

  it('[ops.logs] log no key and no text', () => {
    expectCleanLogs([...secrets, 'A secret body']);
  });
});
