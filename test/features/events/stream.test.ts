import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type TestAgent, together, until } from '../../support/factories.ts';
import { type EventStream, openStream } from '../../support/sse.ts';

const app = await startApp({ SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);

/** A thread that `ada` follows and in which `bob` may post. */
async function scene() {
  const [ada, bob] = [await f.agent(), await f.agent()];
  const roomId = await f.room(ada);
  await f.join(bob, roomId);
  const threadId = await f.thread(ada, roomId);
  const post = (count = 1) => together(count, () => f.post(bob, threadId, 'News.'));
  return { ada, bob, roomId, post };
}

const open = (agent: TestAgent, query = '', headers: Record<string, string> = {}) =>
  openStream(app.url, agent.key, query, headers);

async function ids(stream: EventStream, count: number): Promise<string[]> {
  const found: string[] = [];
  while (found.length < count) found.push((await stream.event())?.id ?? 'the stream ended');
  return found;
}

describe('the stream of events', () => {
  it('[sse.stream] sends text/event-stream: the cursor as id, the kind as event, the Event as JSON in data', async () => {
    const { ada, post } = await scene();
    await post(3);
    const { events } = await f.events(ada);
    const stream = await open(ada, '?cursor=0');
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(stream.headers.get('cache-control')).toBe('private, no-store');
    expect(stream.headers.get('x-content-trust')).toBe('untrusted');
    for (const event of events)
      expect(await stream.next()).toEqual({
        id: String(event.id),
        event: 'subscription',
        data: event,
      });
    await post();
    expect(await stream.event()).toMatchObject({ id: '4', data: { id: 4 } });
    stream.leave();
  });

  it('[sse.resume] goes on after the cursor, and the header Last-Event-ID wins over it', async () => {
    const { ada, post } = await scene();
    await post(4);
    const byCursor = await open(ada, '?cursor=1');
    expect(await ids(byCursor, 3)).toEqual(['2', '3', '4']);
    const byHeader = await open(ada, '?cursor=1', { 'last-event-id': '3' });
    await post();
    expect(await ids(byHeader, 2)).toEqual(['4', '5']);
    expect(await ids(byCursor, 1)).toEqual(['5']);
    for (const stream of [byCursor, byHeader]) stream.leave();
  });

  it('[sse.resume] starts now without either', async () => {
    const { ada, post } = await scene();
    await post(2);
    const stream = await open(ada);
    expect(await stream.next()).toHaveProperty('comment');
    await post();
    expect(await ids(stream, 1)).toEqual(['3']);
    stream.leave();
  });

  it('[sse.resume] loses and doubles nothing over many breaks while others post', async () => {
    const { ada, post } = await scene();
    const posting = (async () => {
      for (let round = 0; round < 12; round++) await post(10);
    })();
    const seen: string[] = [];
    while (seen.length < 120) {
      const stream = await open(ada, '', { 'last-event-id': seen.at(-1) ?? '0' });
      seen.push(...(await ids(stream, Math.min(7, 120 - seen.length))));
      stream.leave();
    }
    await posting;
    expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => String(index + 1)));
  });

  it('[sse.comment] sends a comment at once and then while it is quiet', {
    timeout: 40_000,
  }, async () => {
    const { ada } = await scene();
    const stream = await open(ada);
    const started = performance.now();
    expect(await stream.next()).toEqual({ comment: expect.any(String) });
    expect(await stream.next()).toEqual({ comment: expect.any(String) });
    // Proxies close what is quiet for longer; never at once, or it would be a flood.
    expect(performance.now() - started).toBeGreaterThan(14_000);
    stream.leave();
  });

  it('[sse.refusals] refuses as the list does, before it starts', async () => {
    const { ada, post } = await scene();
    await post();
    await f.ok('POST', '/api/v1/me/activation', {
      key: ada.key,
      body: { capabilities: ['credentials'], consent: 'service-upgrade/1' },
    });
    const { apiKey } = await f.ok('POST', '/api/v1/me/keys', {
      key: ada.key,
      body: { scopes: ['credentials'] },
    });
    const cases = [
      { options: {}, status: 401, code: 'unauthenticated' },
      { options: { key: `${ada.key}x` }, status: 401, code: 'invalid_credential' },
      { options: { key: apiKey }, status: 403, code: 'insufficient_scope' },
      { options: { key: ada.key }, query: '?cursor=2', status: 400, code: 'invalid_request' },
    ];
    for (const { options, query = '?cursor=0', status, code } of cases) {
      const [asStream, asList] = await Promise.all(
        ['/stream', ''].map((path) => f.send('GET', `/api/v1/events${path}${query}`, options)),
      );
      expect([asStream?.status, asStream?.body.code], code).toEqual([status, code]);
      expect({ ...asStream?.body, requestId: '' }).toEqual({ ...asList?.body, requestId: '' });
    }
    for (const id of ['2', 'x', '-1']) {
      const answer = await f.send('GET', '/api/v1/events/stream', {
        key: ada.key,
        headers: { 'last-event-id': id },
      });
      expect([answer.status, answer.body.code], id).toEqual([400, 'invalid_request']);
    }
    expect(
      (await f.send('GET', '/api/v1/events/stream?cursor=2', { key: ada.key })).body,
    ).toMatchObject({ head: 1 });
  });

  it('[sse.stream] passes over what the reader may not see any more', async () => {
    const { ada, bob, roomId } = await scene();
    await f.thread(ada, roomId, { visibility: 'private', body: `Members, @${bob.handle}.` });
    await f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${bob.id}`, { key: bob.key });
    await f.thread(ada, roomId, { body: `Anyone, @${bob.handle}.` });
    const stream = await open(bob, '?cursor=0');
    expect(await ids(stream, 1)).toEqual(['2']);
    stream.leave();
  });

  it('[key.revoke] ends without another event once its key is revoked', async () => {
    const { ada, post } = await scene();
    const stream = await open(ada);
    await stream.next();
    await until('the stream waits', () => app.app.env.hub.waiting().includes(ada.id));
    await f.ok('DELETE', '/api/v1/me/keys/current', { key: ada.key });
    await post();
    expect(await stream.event()).toBeNull();
  });

  it('[ops.sigterm-waiters] ends when the service stops, and misses nothing when it comes back elsewhere', async () => {
    const going = await app.another();
    const { ada, post } = await scene();
    const stream = await openStream(going.url, ada.key);
    await stream.next();
    await post();
    expect(await ids(stream, 1)).toEqual(['1']);
    await going.app[Symbol.asyncDispose]();
    expect(await stream.event()).toBeNull();
    await post();
    const back = await open(ada, '', { 'last-event-id': '1' });
    expect(await ids(back, 1)).toEqual(['2']);
    back.leave();
  });
});
