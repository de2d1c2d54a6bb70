import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../support/database.ts';
import { call, factories, type Json, waitUntil } from '../support/factories.ts';
import {
  createFolder,
  expectCleanLogs,
  findFreePort,
  isProcessAlive,
  listDatabaseProcesses,
  query,
  startService,
  toDatabaseUrl,
} from '../support/service.ts';

const connection = await createDatabase(inject('server'));
const METRICS_PORT = String(await findFreePort());
const env = {
  DATABASE_URL: toDatabaseUrl(connection),
  DATA_DIR: join(createFolder(), 'data'),
  CLOCK_OFFSET_SECONDS: '86400',
};
const node = await startService({ ...env, METRICS_PORT });
const f = factories(node);

/** Texts that must never be in a log. */
const secrets: string[] = [];

const runSql = (text: string) => query(connection, text);

/** Creates a private thread of `ada` in which `bob` may post. */
async function setUp() {
  const ada = await f.createAgent();
  const bob = await f.createAgent();
  const roomId = await f.createRoom(ada, 'private');
  const { token } = await f.ok('POST', `/api/v1/rooms/${roomId}/invitations`, { key: ada.key });
  await f.ok('POST', '/api/v1/invitations/accept', { key: bob.key, body: { token } });
  const threadId = await f.createThread(ada, roomId, {
    title: 'A secret title',
    body: 'A secret body',
  });
  secrets.push(ada.key, bob.key, token, 'secret title', 'secret body');
  return { ada, bob, threadId };
}

it('[ops.quiet-stop] warns of no lost connection while it stops', async () => {
  const own = await createDatabase(inject('server'));
  const service = await startService({ ...env, DATABASE_URL: toDatabaseUrl(own) });
  const there = factories(service);
  const ada = await there.createAgent();
  const holder = new pg.Client(own);
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE rooms');
  // This call keeps the service from ending at once.
  const created = there.createRoom(ada);
  const isWaiting =
    'SELECT 1 FROM pg_stat_activity ' +
    "WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await waitUntil('it waits', async () => (await query(own, isWaiting)).length > 0);
  const ended = service.end('SIGTERM');
  const listMessages = (text: string): Json[] =>
    service
      .listLogs()
      .filter((line) => line.includes(text))
      .map((line) => JSON.parse(line));
  await waitUntil('it stops', () => listMessages('"stopping"').length > 0);
  const cut =
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity ' +
    "WHERE datname = current_database() AND state = 'idle' AND pid <> pg_backend_pid()";
  await query(own, cut);
  await waitUntil('it hears of it', () => listMessages('administrator command').length > 0);
  await holder.query('ROLLBACK');
  await holder.end();
  expect(await created).toMatch(/^[0-9a-f-]{36}$/);
  expect(await ended).toBe(0);
  // A job may have begun to use a connection in the moment in which it was cut, and says so.
  const levels = listMessages('administrator command')
    .filter(({ job }) => job === undefined)
    .map(({ level }) => level);
  expect(new Set(levels)).toEqual(new Set([20]));
});

describe('serve on an external database', () => {
  it('[start.database-url] uses it and starts no database of its own', async () => {
    const { ada } = await setUp();
    expect(await runSql(`SELECT handle FROM agents WHERE id = '${ada.id}'`)).toEqual([
      { handle: ada.handle },
    ]);
    expect(node.readOutput()).toContain('DATABASE_URL');
    expect(existsSync(join(env.DATA_DIR, 'postgres'))).toBe(false);
    expect(await listDatabaseProcesses()).toEqual([]);
  });

  it('[config.test-only] moves its clock by CLOCK_OFFSET_SECONDS', async () => {
    const { createdAt } = await f.ok('POST', '/api/v1/agents', { body: { handle: 'tomorrow' } });
    expect(Date.parse(createdAt) - Date.now()).toBeGreaterThan(86_000_000);
  });

  it('[ops.healthz] [ops.readyz] is live, and ready only with a current schema', async () => {
    const readProbes = () =>
      Promise.all(['/healthz', '/readyz'].map(async (path) => (await f.send('GET', path)).status));
    expect(await readProbes()).toEqual([200, 200]);
    const [newest] = await runSql(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING id, name',
    );
    // The answer is remembered for a second.
    const isReady = async () => (await readProbes())[1] === 200;
    await waitUntil('it is not ready', async () => !(await isReady()));
    expect(await readProbes()).toEqual([200, 503]);
    expect((await f.send('GET', '/readyz')).headers.get('retry-after')).toMatch(/^\d+$/);
    await runSql(`INSERT INTO migrations (id, name) VALUES (${newest.id}, '${newest.name}')`);
    await waitUntil('it is ready again', isReady);
    expect(await readProbes()).toEqual([200, 200]);
  });

  it('[ops.metrics] serves metrics to administrators and on METRICS_PORT', async () => {
    const { ada } = await setUp();
    expect((await f.send('GET', '/metrics')).body.code).toBe('unauthenticated');
    expect((await f.send('GET', '/metrics', { key: ada.key })).body.code).toBe('unauthenticated');
    expect(
      (await f.send('GET', '/metrics', { admin: 'not-a-key-of-any-administrator-000' })).body.code,
    ).toBe('invalid_credential');
    for (const { status, text, headers } of [
      await f.send('GET', '/metrics', { admin: true }),
      await call(`http://127.0.0.1:${METRICS_PORT}`, 'GET', '/metrics'),
    ]) {
      expect(status).toBe(200);
      expect(headers.get('content-type')).toMatch(/^text\/plain; version=/);
      expect(text).toMatch(
        /^stoa_http_request_seconds_count\{operation="registerAgent",status="200"\} [1-9]/m,
      );
      expect(text).not.toContain(ada.handle);
    }
  });

  it('[ops.nodes] [event.wake-across] [ops.sigterm] works with a second node', async () => {
    const other = await startService(env);
    const there = factories(other);
    const { ada, bob, threadId } = await setUp();
    const written = await there.postMessage(bob, threadId, 'A secret body');
    expect(
      (await f.ok('GET', `/api/v1/threads/${threadId}/messages`, { key: ada.key })).messages[1],
    ).toMatchObject({ id: written.id });
    let { nextCursor } = await f.listEvents(ada);
    const delays: number[] = [];
    for (let round = 0; round < 5; round++) {
      const reading = there.ok('GET', `/api/v1/events?cursor=${nextCursor}&wait=60`, {
        key: ada.key,
      });
      await waitUntil('the reader waits', async () =>
        /^stoa_event_waiters 1$/m.test((await there.send('GET', '/metrics', { admin: true })).text),
      );
      const { id } = await f.postMessage(bob, threadId, 'A secret body');
      const posted = performance.now();
      expect((await reading).events).toMatchObject([{ id: nextCursor + 1, messageId: id }]);
      delays.push(performance.now() - posted);
      nextCursor += 1;
    }
    // The test takes the quickest of five, because a busy machine may delay one.
    expect(Math.min(...delays)).toBeLessThan(1_000);
    await f.ok('PUT', `/api/v1/admin/agents/${bob.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    expect((await there.send('GET', '/api/v1/me', { key: bob.key })).body.code).toBe(
      'agent_blocked',
    );
    expect(await other.end('SIGTERM')).toBe(0);
    expect(await isProcessAlive(other.pid)).toBe(false);
    expect((await f.send('GET', '/readyz')).status).toBe(200);
  });

  it('[ops.logs] logs each request with id and outcome, and never a key or text', async () => {
    const { ada, threadId } = await setUp();
    const { key } = ada;
    const messages = `/api/v1/threads/${threadId}/messages`;
    const sent = [
      { method: 'GET', path: '/api/v1/me', options: { key }, operation: 'getMe', status: 200 },
      {
        method: 'POST',
        path: '/api/v1/me/keys/rotate',
        options: { key: (await f.createAgent()).key },
        operation: 'rotateKey',
        status: 200,
      },
      {
        method: 'GET',
        path: `/api/v1/me?key=${key}`,
        options: { key },
        operation: 'getMe',
        status: 400,
      },
      {
        method: 'GET',
        path: '/api/v1/me',
        options: { key: `${key}x` },
        operation: 'getMe',
        status: 401,
      },
      {
        method: 'GET',
        path: `/api/v1/agents/${key}`,
        options: {},
        operation: 'getAgent',
        status: 404,
      },
      { method: 'GET', path: `/nowhere/${key}`, options: {}, operation: 'unknown', status: 404 },
      {
        method: 'POST',
        path: messages,
        options: { key, raw: `{"body":"A secret body` },
        operation: 'postMessage',
        status: 400,
      },
      {
        method: 'POST',
        path: messages,
        options: { key, body: { body: 'A secret body', other: key } },
        operation: 'postMessage',
        status: 400,
      },
      {
        method: 'POST',
        path: messages,
        options: { key, body: { body: 'A secret body'.repeat(6_000) } },
        operation: 'postMessage',
        status: 413,
      },
      {
        method: 'POST',
        path: '/api/v1/invitations/accept',
        options: { key, body: { token: `stoa_inv_${key}` } },
        operation: 'acceptInvitation',
        status: 404,
      },
    ];
    for (const { method, path, options, operation, status } of sent) {
      const answer = await f.send(method, path, options);
      const requestId = answer.headers.get('x-request-id');
      const listRequestLines = () =>
        node.listLogs().filter((line) => line.includes(`"${requestId}"`));
      await waitUntil('it is logged', () => listRequestLines().length > 0);
      expect(listRequestLines().map((line) => JSON.parse(line))).toMatchObject([
        { requestId, method, operation, status, msg: 'request' },
      ]);
      if (operation === 'rotateKey') secrets.push(answer.body.apiKey);
    }
    // A failing statement is the hardest case, because the database's own error quotes values.
    await runSql(
      `ALTER TABLE messages ADD CONSTRAINT broken CHECK (body <> 'A secret body that breaks')`,
    );
    const failed = await f.send('POST', messages, {
      key,
      body: { body: 'A secret body that breaks' },
    });
    expect({ status: failed.status, code: failed.body.code }).toEqual({
      status: 500,
      code: 'internal_error',
    });
    expect(failed.text).not.toMatch(/constraint|broken|messages_/);
    await waitUntil('it is logged', () =>
      node
        .listLogs()
        .some((line) => line.includes(failed.body.requestId) && line.includes('"err"')),
    );
    await runSql('ALTER TABLE messages DROP CONSTRAINT broken');
    expectCleanLogs(secrets);
  });
});
