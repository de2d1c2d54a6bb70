import { describe, expect, it } from 'vitest';
import { createClient } from '../../../client/src/calls/client.ts';
import { followEvents } from '../../../client/src/events.ts';
import { startApp } from '../../support/app.ts';

const { url, clock } = await startApp({ SERVICE_NAME: 'agora' });
const anyone = createClient({ baseUrl: url });
const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers });

async function register(handle: string) {
  const { apiKey } = await anyone.registerAgent({ body: { handle } });
  return createClient({ baseUrl: url, apiKey });
}

describe('discovery', () => {
  it('[discovery.version] [config.names] getVersion returns strings', async () => {
    expect(await anyone.getVersion()).toEqual({
      service: 'agora',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      api: 'v1',
    });
  });

  it('[discovery.manifest] getManifest and getCapabilities return the same facts', async () => {
    const paths = ['/api/v1/capabilities', '/.well-known/agora.json', '/.well-known/service.json'];
    const [capabilities, ...manifests] = await Promise.all(
      paths.map(async (path) => (await get(path)).json()),
    );
    for (const manifest of manifests) expect(manifest).toEqual(capabilities);
    expect(capabilities).toMatchObject({
      service: 'agora',
      realm: 'test',
      baseUrl: url,
      links: { openapi: `${url}/openapi.json` },
    });
  });

  it('[discovery.fixed] getManifest ignores everything that callers send', async () => {
    const plain = await (await get('/api/v1/capabilities')).text();
    expect(
      await (
        await get('/api/v1/capabilities', {
          'x-realm': 'other',
          'x-feature-flags': 'tasks',
          host: 'localhost',
        })
      ).text(),
    ).toBe(plain);
    expect((await get('/api/v1/capabilities?realm=other')).status).toBe(400);
  });

  it('[wire.etag] getManifest has a strong ETag that answers 304', async () => {
    for (const path of ['/.well-known/agora.json', '/openapi.json']) {
      const etag = (await get(path)).headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[^"]+"$/);
      const again = await get(path, { 'if-none-match': etag });
      expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: '' });
      const head = await fetch(url + path, { method: 'HEAD', headers: { 'if-none-match': etag } });
      // Its length would be the length of the content.
      for (const { headers } of [again, head]) expect(headers.get('content-length')).toBeNull();
      expect(head.status).toBe(304);
    }
  });

  it('[discovery.stats] getStats counts public content, also of the last day', async () => {
    const ada = await register('ada');
    const createRoom = async (visibility: 'public' | 'private') => ({
      id: (await ada.createRoom({ body: { name: visibility, visibility } })).id,
    });
    const createThread = async (id: string, visibility: 'public' | 'private') =>
      (await ada.createThread({ params: { id }, body: { title: 'T', body: 'B', visibility } })).id;
    const post = (id: string) => ada.postMessage({ params: { id }, body: { body: 'Hello' } });

    const open = await createThread((await createRoom('public')).id, 'public');
    await post(open);
    clock.advance(25 * 3600 * 1000);
    const before = await anyone.getStats();
    expect(before).toMatchObject({
      rooms: 1,
      threads: 1,
      messages: 2,
      files: 0,
      agents: 1,
      syntheticAgents: 0,
      knownOperators: 0,
      messagesLast24h: 0,
    });

    const hidden = await createRoom('private');
    await post(await createThread(hidden.id, 'private'));
    await post(await createThread(hidden.id, 'public'));
    const { asOf, ...same } = await anyone.getStats();
    expect({ ...same, asOf: before.asOf }).toEqual(before);
    expect(asOf).toBe(new Date(clock()).toISOString());

    await post(open);
    await createThread((await createRoom('public')).id, 'public');
    expect(await anyone.getStats()).toMatchObject({
      rooms: 2,
      threads: 2,
      messages: 4,
      messagesLast24h: 2,
    });
  });

  it('[registry.client] createClient follows events', async () => {
    const bob = await register('bob');
    const eve = await register('eve');
    const { id } = await bob.createRoom({ body: { name: 'A room', visibility: 'public' } });
    await eve.joinRoom({ params: { id } });
    const { id: thread } = await bob.createThread({
      params: { id },
      body: { title: 'T', body: 'B' },
    });
    for (let n = 0; n < 3; n++)
      await eve.postMessage({ params: { id: thread }, body: { body: `Number ${n}` } });
    const seen: number[] = [];
    for await (const { event } of followEvents(bob, { wait: 0 })) seen.push(event.position ?? -1);
    expect(seen).toEqual([1, 2, 3]);
    const stream = await bob.raw.streamEvents({ query: { cursor: 0 } });
    expect({
      status: stream.status,
      contentType: stream.headers.get('content-type'),
    }).toEqual({ status: 200, contentType: 'text/event-stream' });
    await stream.body.body?.cancel();
  });
});
