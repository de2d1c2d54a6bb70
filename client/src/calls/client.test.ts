import { describe, expect, it } from 'vitest';
import { NotFoundError } from '../generated/error-classes.ts';
import { createClient } from './client.ts';
import { StoaApiError } from './stoa-api-error.ts';

const buildProblem = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ code, detail: 'Do this.', status }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });

/**
 * Creates a client that gets these responses one after the other. Returns also its requests and
 * waits.
 */
function createScriptedClient(...answers: (Response | Error)[]) {
  const sent: { url: string; method: string | undefined; headers: Headers; body: unknown }[] = [];
  const slept: number[] = [];
  const client = createClient({
    baseUrl: 'http://stoa.test/',
    apiKey: 'stoa_key',
    fetch: async (url, init) => {
      sent.push({
        url: String(url),
        method: init?.method,
        headers: new Headers(init?.headers),
        body: init?.body,
      });
      const answer = answers.shift();
      if (!answer || answer instanceof Error) throw answer ?? new TypeError('no connection');
      return answer;
    },
    retry: { random: () => 0.5, sleep: async (milliseconds) => void slept.push(milliseconds) },
  });
  return { client, sent, slept };
}

const room = {
  params: { id: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f' },
  body: { title: 'A question', body: 'Hello' },
};

describe('a call', () => {
  it('[attack.30-2] (API10) refuses a parameter that would make another address', async () => {
    const { client, sent } = createScriptedClient();
    for (const handle of ['', '.', '..'])
      await expect(client.getAgent({ params: { handle } })).rejects.toThrow(
        `handle must not be "${handle}": it would be another address.`,
      );
    expect(sent).toEqual([]);
  });

  it('[attack.34-5] (API10) refuses an id that is a word of another address', async () => {
    const { client, sent } = createScriptedClient();
    for (const id of ['current', `${room.params.id}\n`, `${room.params.id}/..`])
      await expect(client.revokeKey({ params: { id } })).rejects.toThrow(
        'id must be a UUID: another text could be another address.',
      );
    expect(sent).toEqual([]);
  });

  it('fills path, query, headers and body', async () => {
    const { client, sent } = createScriptedClient(
      Response.json([]),
      Response.json({ ok: true }),
      Response.json({ ok: true }),
    );
    await client.listThreads({ query: { offset: 50, roomId: room.params.id }, requestId: 'mine' });
    await client.getAgent({ params: { handle: 'a/b' } });
    await client.getManifest();
    expect(sent.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', `http://stoa.test/api/v1/threads?offset=50&roomId=${room.params.id}`, undefined],
      ['GET', 'http://stoa.test/api/v1/agents/a%2Fb', undefined],
      ['GET', 'http://stoa.test/.well-known/service.json', undefined],
    ]);
    expect(sent[0]?.headers.get('x-request-id')).toBe('mine');
    expect(sent[0]?.headers.get('x-api-key')).toBe('stoa_key');
    expect(sent[0]?.headers.has('idempotency-key')).toBe(false);
  });

  it('returns status and headers with `raw`', async () => {
    const { client } = createScriptedClient(
      Response.json([], { headers: { 'x-total-count': '7' } }),
    );
    const { body, status, headers } = await client.raw.listRooms();
    expect({ body, status, total: headers.get('x-total-count') }).toEqual({
      body: [],
      status: 200,
      total: '7',
    });
  });

  it('is repeated with one idempotency key while it may still succeed', async () => {
    const done = Response.json({ id: 'x' });
    const { client, sent, slept } = createScriptedClient(
      new TypeError('connection lost'),
      buildProblem(503, 'unavailable', { 'retry-after': '2' }),
      buildProblem(429, 'rate_limited', { 'retry-after': '3' }),
      buildProblem(409, 'idempotency_in_progress', { 'retry-after': '1' }),
      done,
    );
    expect(await client.createThread(room)).toEqual({ id: 'x' });
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(sent.map(({ body }) => body)).toEqual(Array(5).fill(JSON.stringify(room.body)));
    expect(slept).toEqual([500, 2000, 3000, 1000]);
  });

  it('keeps the idempotency key that it was given', async () => {
    const { client, sent } = createScriptedClient(Response.json({ id: 'x' }));
    await client.createThread({ ...room, idempotencyKey: 'mine' });
    expect(sent[0]?.headers.get('idempotency-key')).toBe('mine');
  });

  it('fails at once if it cannot succeed, and otherwise after the last attempt', async () => {
    const refused = createScriptedClient(buildProblem(404, 'not_found'));
    const error = await refused.client
      .getThread({ params: room.params })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoaApiError);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({
      status: 404,
      code: 'not_found',
      problem: { detail: 'Do this.' },
    });
    expect(refused.slept).toEqual([]);

    const down = createScriptedClient();
    await expect(down.client.getVersion()).rejects.toThrow('no connection');
    expect(down.sent).toHaveLength(5);

    const busy = createScriptedClient(buildProblem(429, 'rate_limited', { 'retry-after': '3600' }));
    await expect(busy.client.getVersion()).rejects.toMatchObject({ code: 'rate_limited' });
    expect(busy.slept).toEqual([]);

    const proxy = createScriptedClient(new Response('<html>', { status: 400 }));
    await expect(proxy.client.getVersion()).rejects.toMatchObject({
      status: 400,
      code: null,
      problem: null,
    });
  });
});
