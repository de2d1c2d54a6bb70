import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, expect, inject, it } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { readSettings } from '../../src/config.ts';
import { openDatabase } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { ADMIN_KEY, startApp } from '../support/app.ts';
import { createDatabase } from '../support/database.ts';
import { buildProblem, factories, waitUntil } from '../support/factories.ts';

const app = await startApp();
const { db } = app.app.env;
const f = factories(app);
/** Opens connections of the test's own, which hold the locks that the service then waits for. */
const [ownClient, watcher] = [1, 2].map(
  () => new pg.Client({ ...db.connection, application_name: 'test' }),
) as [pg.Client, pg.Client];
await Promise.all([ownClient.connect(), watcher.connect()]);
afterAll(() => Promise.all([ownClient.end(), watcher.end()]));

const waitForLockWaiters = (count: number) =>
  waitUntil(`${count} wait for a lock`, async () => {
    const { rowCount } = await watcher.query(
      'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND ' +
        "application_name = 'stoa' AND wait_event_type = 'Lock'",
    );
    return rowCount === count;
  });

const owner = await f.createAgent();
const roomId = await f.createRoom(owner);

it('[event.nothing-between] subscribeThread during a post shows or announces it', async () => {
  const reader = await f.createAgent();
  const threadId = await f.createThread(owner, roomId);
  const author = await f.createAgent();
  await f.joinRoom(author, roomId);
  await ownClient.query('BEGIN');
  await ownClient.query('SELECT 1 FROM event_heads WHERE agent_id = $1 FOR UPDATE', [owner.id]);
  const post = f.postMessage(author, threadId, 'Under way.');
  await waitForLockWaiters(1);
  const subscribed = f.ok('PUT', `/api/v1/threads/${threadId}/subscription`, { key: reader.key });
  await waitForLockWaiters(2);
  await ownClient.query('COMMIT');
  await Promise.all([post, subscribed]);
  expect((await f.ok('GET', `/api/v1/threads/${threadId}/messages`)).total).toBe(2);
  expect((await f.listEvents(reader)).events).toEqual([]);
  await f.postMessage(author, threadId, 'Afterwards.');
  expect((await f.listEvents(reader)).events).toMatchObject([
    { kind: 'subscription', position: 2 },
  ]);
});

it('[ops.no-freeze] postMessage continues while another thread is locked', async () => {
  const [locked, free] = await Promise.all([
    f.createThread(owner, roomId),
    f.createThread(owner, roomId),
  ]);
  await ownClient.query('BEGIN');
  await ownClient.query('SELECT 1 FROM threads WHERE id = $1 FOR UPDATE', [locked]);
  const held = [f.postMessage(owner, locked, 'First.'), f.postMessage(owner, free, 'Beside it.')];
  await waitForLockWaiters(1);
  held.push(f.postMessage(owner, locked, 'Second.'));
  for (const text of ['A', 'B', 'C']) await f.postMessage(owner, free, text);
  expect(await held[1]).toMatchObject({ position: 1 });
  await ownClient.query('COMMIT');
  expect((await Promise.all(held)).map(({ position }) => position)).toEqual([1, 1, 2]);
});

it('[error.conflicts] postMessage answers 503 when all attempts conflict', async () => {
  const threadId = await f.createThread(owner, roomId);
  await ownClient.query(`
    CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = 'serialization_failure'; END $$;
    CREATE TRIGGER conflict AFTER INSERT ON messages EXECUTE FUNCTION conflict()`);
  const idem = randomUUID();
  const send = () =>
    f.send('POST', `/api/v1/threads/${threadId}/messages`, {
      key: owner.key,
      body: { body: 'In conflict.' },
      idem,
    });
  try {
    const refused = await send();
    expect(refused).toMatchObject(buildProblem(503, 'unavailable'));
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  } finally {
    await ownClient.query('DROP FUNCTION conflict CASCADE');
  }
  expect(await send()).toMatchObject({ status: 200, body: { position: 1 } });
});

it('[error.unavailable] postMessage answers 503 when a lock is never released', async () => {
  const threadId = await f.createThread(owner, roomId);
  await ownClient.query('BEGIN');
  await ownClient.query('SELECT 1 FROM threads WHERE id = $1 FOR UPDATE', [threadId]);
  const idem = app.app.env.newId();
  const post = () =>
    f.send('POST', `/api/v1/threads/${threadId}/messages`, {
      key: owner.key,
      idem,
      body: { body: 'Patience.' },
    });
  const answer = await post();
  await ownClient.query('COMMIT');
  expect(answer).toMatchObject(buildProblem(503, 'unavailable'));
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await post()).toMatchObject({ status: 200, body: { position: 1 } });
});

it('[error.unavailable] postMessage recovers after connections fall silent', async () => {
  const { host, port, user, database } = db.connection as unknown as Record<
    'host' | 'port' | 'user' | 'database',
    never
  >;
  const folder = mkdtempSync(join(tmpdir(), 'stoa-proxy-'));
  const pairs: [Socket, Socket][] = [];
  const proxy = createServer((near) => {
    const far = connect(join(host, `.s.PGSQL.${port}`));
    pairs.push([near, far]);
    near.pipe(far).pipe(near);
    for (const socket of [near, far]) socket.on('error', () => {});
  }).listen(join(folder, `.s.PGSQL.${port}`));
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: folder,
    REALM: 'test',
    ADMIN_KEYS: ADMIN_KEY,
  });
  const behind = createApp(settings, {
    connection: { host: folder, port, user, database },
    log: pino({ level: 'silent' }),
  });
  const there = factories({ url: await behind.listen() });
  expect((await there.send('GET', '/api/v1/me', { key: owner.key })).status).toBe(200);
  // A firewall that forgot the connections behaves so: nothing arrives any more, and no error
  // either.
  for (const [near, far] of pairs.splice(0)) {
    near.unpipe(far);
    far.unpipe(near);
    near.resume();
  }
  expect([200, 503]).toContain((await there.send('GET', '/api/v1/me', { key: owner.key })).status);
  await waitUntil(
    'it is answered',
    async () => (await there.send('GET', '/api/v1/me', { key: owner.key })).status === 200,
  );
  for (const [near, far] of pairs) for (const socket of [near, far]) socket.destroy();
  proxy.close();
  await behind[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

it('[wire.time] DATABASE_URL options add to the settings of the service', async () => {
  const connection = await createDatabase(inject('server'));
  const { host, port, user, database } = connection as unknown as Record<
    'host' | 'port' | 'user' | 'database',
    string
  >;
  const query = new URLSearchParams({
    host,
    port: String(port),
    user,
    options: '-c search_path=pg_catalog -c TimeZone=Asia/Tokyo',
  });
  const url = `postgres:///${database}?${query}`;
  await using opened = openDatabase({ connectionString: url });
  const shown = await opened.first(sql`
    SELECT current_setting('TimeZone') AS zone, current_setting('search_path') AS path,
      current_setting('statement_timeout') AS patience
  `);
  expect(shown).toEqual({ zone: 'UTC', path: 'pg_catalog', patience: '5s' });
});
