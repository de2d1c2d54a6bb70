import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createDatabase } from './database.ts';
import { call, factories, type Loose, type RequestOptions, together, until } from './factories.ts';
import { alive, databaseProcesses, expectCleanLogs, folder, type Service, serve, urlOf } from './service.ts';
import { openStream } from './sse.ts';

const { connection, drop } = await createDatabase(inject('server'));
const DATABASE_URL = urlOf(connection);
const DATA_DIR = join(folder(), 'data');
const METRICS_PORT = '18917';
const node = await serve({ DATABASE_URL, DATA_DIR, METRICS_PORT, CLOCK_OFFSET_SECONDS: '86400' });
const f = factories(node);
afterAll(drop);

/** What must never stand in a log: filled as the tests go. */
const secrets: string[] = [];

async function query(text: string): Promise<Loose[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** A call on a connection of its own: behind WORKERS it comes to the next process. */
const fresh = (url: string, method: string, path: string, options: RequestOptions = {}) =>
  call(url, method, path, { ...options, headers: { connection: 'close', ...options.headers } });

/** A thread of `ada` in which `bob` may post, and a post with a body that must stay out of every log. */
async function scene(at = f) {
  const [ada, bob] = [await at.agent(), await at.agent()];
  const roomId = await at.room(ada, 'private');
  const { token } = await at.ok('POST', `/api/v1/rooms/${roomId}/invitations`, { key: ada.key });
  await at.ok('POST', '/api/v1/invitations/accept', { key: bob.key, body: { token } });
  const threadId = await at.thread(ada, roomId, { title: `Secret title ${ada.handle}`, body: `Secret body ${ada.handle}` });
  secrets.push(ada.key, bob.key, token, `Secret title ${ada.handle}`, `Secret body ${ada.handle}`);
  return { ada, bob, threadId };
}

describe('the built service on an external database', () => {
  it('[start.database-url] uses it and starts none of its own', async () => {
    const { ada } = await scene();
    expect(await query(`SELECT handle FROM agents WHERE id = '${ada.id}'`)).toEqual([{ handle: ada.handle }]);
    expect(node.said()).toContain('DATABASE_URL');
    expect(existsSync(join(DATA_DIR, 'postgres'))).toBe(false);
    expect(await databaseProcesses()).toEqual([]);
  });

  it('[config.test-only] has its clock moved by CLOCK_OFFSET_SECONDS', async () => {
    const { createdAt } = await f.ok('POST', '/api/v1/agents', { body: { handle: 'tomorrow' } });
    expect(Date.parse(createdAt) - Date.now()).toBeGreaterThan(86_000_000);
  });

  it('[ops.healthz] [ops.readyz] says that it lives, and that it is ready only with a current schema', async () => {
    const probe = async () => (await Promise.all(['/healthz', '/readyz'].map((path) => f.send('GET', path)))).map(({ status }) => status);
    expect(await probe()).toEqual([200, 200]);
    const [{ id, name }] = (await query('DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING id, name')) as [Loose];
    expect(await probe()).toEqual([200, 503]);
    expect((await f.send('GET', '/readyz')).headers.get('retry-after')).toMatch(/^\d+$/);
    await query(`INSERT INTO migrations (id, name) VALUES (${id}, '${name}')`);
    expect(await probe()).toEqual([200, 200]);
  });

  it('[ops.metrics] gives metrics to an administrator, to anyone on METRICS_PORT, and to nobody else', async () => {
    const { ada } = await scene();
    expect((await f.send('GET', '/metrics')).body.code).toBe('unauthenticated');
    expect((await f.send('GET', '/metrics', { key: ada.key })).body.code).toBe('unauthenticated');
    expect((await f.send('GET', '/metrics', { admin: 'not-a-key-of-any-administrator-000' })).body.code).toBe('invalid_credential');
    for (const { status, text, headers } of [await f.send('GET', '/metrics', { admin: true }), await call(`http://127.0.0.1:${METRICS_PORT}`, 'GET', '/')]) {
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
      expect(text).toMatch(/^stoa_http_request_seconds_count\{operation="registerAgent",status="200"\} [1-9]/m);
      expect(text).not.toContain(ada.handle);
    }
  });

  it('[ops.logs] logs every request with its id and its outcome', async () => {
    const { ada, threadId } = await scene();
    const sent = [
      { method: 'GET', path: '/api/v1/me', options: { key: ada.key }, operation: 'getMe', status: 200 },
      { method: 'GET', path: `/api/v1/me?secret=${ada.key}`, options: { key: ada.key }, operation: 'getMe', status: 400 },
      { method: 'GET', path: '/api/v1/me', options: { key: `${ada.key}x` }, operation: 'getMe', status: 401 },
      { method: 'GET', path: `/nowhere/${ada.key}`, options: {}, operation: 'unknown', status: 404 },
      {
        method: 'POST',
        path: `/api/v1/threads/${threadId}/messages`,
        options: { key: ada.key, raw: `{"body":"${ada.key}` },
        operation: 'postMessage',
        status: 400,
      },
    ];
    for (const { method, path, options, operation, status } of sent) {
      const answer = await f.send(method, path, options);
      expect(answer.status).toBe(status);
      const requestId = answer.headers.get('x-request-id');
      const lines = () => node.logs().filter((line) => line.includes(`"${requestId}"`));
      await until('it is logged', () => lines().length > 0);
      expect(lines().map((line) => JSON.parse(line))).toMatchObject([{ requestId, method, operation, status, msg: 'request' }]);
    }
  });

  it('[ops.nodes] [event.wake-across] [ops.sigterm] is one with a second service on the same database, which then goes away', async () => {
    const other = await serve({ DATABASE_URL, DATA_DIR });
    const there = factories(other);
    const { ada, bob, threadId } = await scene();
    const written = await there.post(bob, threadId, 'Secret, written over there');
    expect((await f.ok('GET', `/api/v1/threads/${threadId}/messages`, { key: ada.key })).messages[1]).toMatchObject({ id: written.id });
    const delays: number[] = [];
    for (let cursor = 1; cursor <= 5; cursor++) {
      const reading = there.ok('GET', `/api/v1/events?cursor=${cursor}&wait=60`, { key: ada.key });
      await until('the reader waits', async () => /^stoa_event_waiters 1$/m.test((await there.send('GET', '/metrics', { admin: true })).text));
      const { id } = await f.post(bob, threadId, 'Secret, wake up');
      const posted = performance.now();
      expect((await reading).events).toMatchObject([{ id: cursor + 1, messageId: id }]);
      delays.push(performance.now() - posted);
    }
    // The quickest of five: a busy machine may hold one up.
    expect(Math.min(...delays)).toBeLessThan(1_000);
    await f.ok('PUT', `/api/v1/admin/agents/${bob.id}/block`, { admin: true, body: { blocked: true } });
    expect((await there.send('GET', '/api/v1/me', { key: bob.key })).body.code).toBe('agent_blocked');
    expect(await other.end('SIGTERM')).toBe(0);
    expect(await alive(other.pid)).toBe(false);
    expect((await f.send('GET', '/readyz')).status).toBe(200);
  });
});
