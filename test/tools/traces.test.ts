import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { factories, type Json, waitUntil } from '../support/factories.ts';
import { createFolder, startService } from '../support/service.ts';

/** What a collector of OpenTelemetry was sent, and with which headers. */
const batches: { readonly path: string; readonly token: unknown; readonly body: Json }[] = [];
const collector = createServer(async (request, response) => {
  const body = JSON.parse(await text(request));
  batches.push({ path: String(request.url), token: request.headers['x-token'], body });
  response.setHeader('content-type', 'application/json').end('{}');
});
await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
afterAll(() => collector.close());
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

const listSpans = (): Json[] =>
  batches.flatMap(({ body }) =>
    body.resourceSpans.flatMap((resource: Json) =>
      resource.scopeSpans.flatMap((scope: Json) => scope.spans),
    ),
  );
const getAttribute = (span: Json, name: string): unknown =>
  Object.values(span.attributes.find((one: Json) => one.key === name)?.value ?? {})[0];
const findRequest = (requestId: string): Json =>
  listSpans().find((span) => getAttribute(span, 'stoa.request_id') === requestId);

const CALLER = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${CALLER}-b7ad6b7169203331-01`;

describe('traces', () => {
  it('[ops.traces] tell where the time of a request went, and not what it said', async () => {
    const service = await startService({
      DATA_DIR: createFolder(),
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-token=s3%20cret',
    });
    const f = factories(service);
    const ada = await f.createAgent();
    const room = await f.createRoom(ada);
    const thread = await f.createThread(ada, room);
    const post = await f.send('POST', `/api/v1/threads/${thread}/messages`, {
      key: ada.key,
      body: { body: 'A word that no trace repeats: quagga.' },
      headers: { 'x-request-id': 'posted', traceparent },
    });
    expect(post.status).toBe(200);
    await f.send('GET', '/nowhere', { headers: { 'x-request-id': 'lost' } });
    await f.send('GET', '/healthz', { headers: { 'x-request-id': 'probe' } });
    expect(await service.end('SIGTERM')).toBe(0);

    expect(batches.every(({ path, token }) => path === '/v1/traces' && token === 's3 cret')).toBe(
      true,
    );
    const [resource] = batches[0]?.body.resourceSpans ?? [];
    expect(getAttribute(resource.resource, 'service.name')).toBe('stoa');
    const request = findRequest('posted');
    expect(request.name).toBe('POST /api/v1/threads/:id/messages');
    expect(getAttribute(request, 'stoa.operation')).toBe('postMessage');
    expect(getAttribute(request, 'stoa.agent_id')).toBe(ada.id);
    expect(Number(getAttribute(request, 'http.response.status_code'))).toBe(200);
    // Anybody may send the header, so it counts only behind a proxy that is trusted.
    expect(request.traceId).not.toBe(CALLER);
    const inside = listSpans().filter(({ parentSpanId }) => parentSpanId === request.spanId);
    const names = inside.map(({ name }) => name);
    expect(names).toContain('COMMIT');
    expect(names.length).toBeGreaterThan(3);
    expect(
      inside.some((span) =>
        /INSERT INTO messages/.test(String(getAttribute(span, 'db.query.text'))),
      ),
    ).toBe(true);
    expect(findRequest('lost')?.name).toBe('GET');
    expect(findRequest('probe')).toBeUndefined();
    const logged = service.listLogs().find((line) => line.includes('"requestId":"posted"'));
    expect(JSON.parse(logged ?? '{}')).toMatchObject({ traceId: request.traceId });
    const all = JSON.stringify(batches);
    for (const secret of ['quagga', ada.key]) expect(all).not.toContain(secret);
  });

  it('[ops.traces] continue that of a caller behind a proxy, and record a share', async () => {
    batches.length = 0;
    const service = await startService({
      DATA_DIR: createFolder(),
      TRUST_PROXY: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    const f = factories(service);
    for (let count = 0; count < 5; count++) await f.send('GET', '/api/v1/rooms');
    await f.send('GET', '/api/v1/rooms', { headers: { 'x-request-id': 'traced', traceparent } });
    expect(await service.end('SIGTERM')).toBe(0);
    expect(findRequest('traced').traceId).toBe(CALLER);
    expect(new Set(listSpans().map(({ traceId }) => traceId))).toEqual(new Set([CALLER]));
  });

  it('[ops.traces] that nobody takes delay nothing, and are reported', async () => {
    const service = await startService({
      DATA_DIR: createFolder(),
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    });
    expect((await factories(service).send('GET', '/api/v1/rooms')).status).toBe(200);
    await waitUntil('it is reported', () =>
      service.listLogs().some((line) => line.includes('traces could not be delivered')),
    );
    expect(await service.end('SIGTERM')).toBe(0);
  });
});
