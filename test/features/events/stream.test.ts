import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, runConcurrently, type TestAgent, waitUntil } from '../../support/factories.ts';
import { type EventStream, openStream } from '../../support/sse.ts';

const app = await startApp({ SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);

/** Creates a thread that `ada` follows and in which `bob` may post. */
async function setUp() {
  const ada = await f.createAgent();
  const bob = await f.createAgent();
  const roomId = await f.createRoom(ada);
  await f.joinRoom(bob, roomId);
  const threadId = await f.createThread(ada, roomId);
  const postMessages = (count = 1) =>
    runConcurrently(count, () => f.postMessage(bob, threadId, 'News.'));
  return { ada, bob, roomId, post: postMessages };
}

const openAgentStream = (agent: TestAgent, query = '', headers: Record<string, string> = {}) =>
  openStream(app.url, agent.key, query, headers);

async function readIds(stream: EventStream, count: number): Promise<string[]> {
  const found: string[] = [];
  while (found.length < count) found.push((await stream.nextEvent())?.id ?? 'the stream ended');
  return found;
}

describe('streamEvents', () => {
  it('[sse.stream] sends text/event-stream with cursor, kind and Event', async () => {
    const { ada, post } = await setUp();
    await post(3);
    const { events } = await f.listEvents(ada);
    const stream = await openAgentStream(ada, '?cursor=0');
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
    expect(await stream.nextEvent()).toMatchObject({ id: '4', data: { id: 4 } });
    stream.disconnect();
  });

  it('[sse.resume] resumes after the cursor, which Last-Event-ID overrides', async () => {
    const { ada, post } = await setUp();
    await post(4);
    const byCursor = await openAgentStream(ada, '?cursor=1');
    expect(await readIds(byCursor, 3)).toEqual(['2', '3', '4']);
    const byHeader = await openAgentStream(ada, '?cursor=1', { 'last-event-id': '3' });
    await post();
    expect(await readIds(byHeader, 2)).toEqual(['4', '5']);
    expect(await readIds(byCursor, 1)).toEqual(['5']);
    for (const stream of [byCursor, byHeader]) stream.disconnect();
  });

  it('[sse.resume] starts now without a cursor or Last-Event-ID', async () => {
    const { ada, post } = await setUp();
    await post(2);
    const stream = await openAgentStream(ada);
    expect(await stream.next()).toHaveProperty('comment');
    await post();
    expect(await readIds(stream, 1)).toEqual(['3']);
    stream.disconnect();
  });

  it('[sse.resume] loses and duplicates nothing over many breaks while others post', async () => {
    const { ada, post } = await setUp();
    const posting = (async () => {
      for (let round = 0; round < 12; round++) await post(10);
    })();
    const seen: string[] = [];
    while (seen.length < 120) {
      const stream = await openAgentStream(ada, '', { 'last-event-id': seen.at(-1) ?? '0' });
      seen.push(...(await readIds(stream, Math.min(7, 120 - seen.length))));
      stream.disconnect();
    }
    await posting;
    expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => String(index + 1)));
  });

  it('[sse.comment] sends a comment at once and later whenever it is quiet', async () => {
    const { ada } = await setUp();
    const stream = await openAgentStream(ada);
    const started = performance.now();
    expect(await stream.next()).toEqual({ comment: expect.any(String) });
    expect(await stream.next()).toEqual({ comment: expect.any(String) });
    // Proxies close connections that are quiet for longer, and more frequent comments would flood
    // the client.
    expect(performance.now() - started).toBeGreaterThan(14_000);
    stream.disconnect();
  });

  it('[sse.refusals] refuses as listEvents does, before the stream starts', async () => {
    const { ada, post } = await setUp();
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
      expect({ status: asStream?.status, code: asStream?.body.code }, code).toEqual({
        status,
        code,
      });
      expect({ ...asStream?.body, requestId: '' }).toEqual({ ...asList?.body, requestId: '' });
    }
    for (const id of ['2', 'x', '-1']) {
      const answer = await f.send('GET', '/api/v1/events/stream', {
        key: ada.key,
        headers: { 'last-event-id': id },
      });
      expect({ status: answer.status, code: answer.body.code }, id).toEqual({
        status: 400,
        code: 'invalid_request',
      });
    }
    expect(
      (await f.send('GET', '/api/v1/events/stream?cursor=2', { key: ada.key })).body,
    ).toMatchObject({ head: 1 });
  });

  it('[sse.stream] skips what the reader may no longer see', async () => {
    const { ada, bob, roomId } = await setUp();
    await f.createThread(ada, roomId, { visibility: 'private', body: `Members, @${bob.handle}.` });
    await f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${bob.id}`, { key: bob.key });
    await f.createThread(ada, roomId, { body: `Anyone, @${bob.handle}.` });
    const stream = await openAgentStream(bob, '?cursor=0');
    expect(await readIds(stream, 1)).toEqual(['2']);
    stream.disconnect();
  });

  it('[key.revoke] ends without another event once its key is revoked', async () => {
    const { ada, post } = await setUp();
    const stream = await openAgentStream(ada);
    await stream.next();
    await waitUntil('the stream waits', () => app.app.env.hub.listWaitingAgents().includes(ada.id));
    await f.ok('DELETE', '/api/v1/me/keys/current', { key: ada.key });
    await post();
    expect(await stream.nextEvent()).toBeNull();
  });

  it('[ops.sigterm-waiters] ends on SIGTERM and resumes on another node', async () => {
    const going = await app.startNode();
    const { ada, post } = await setUp();
    const stream = await openStream(going.url, ada.key);
    await stream.next();
    await post();
    expect(await readIds(stream, 1)).toEqual(['1']);
    await going.app[Symbol.asyncDispose]();
    expect(await stream.nextEvent()).toBeNull();
    await post();
    const back = await openAgentStream(ada, '', { 'last-event-id': '1' });
    expect(await readIds(back, 1)).toEqual(['2']);
    back.disconnect();
  });
});
