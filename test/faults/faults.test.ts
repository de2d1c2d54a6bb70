import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examineDisk } from '../../src/cli/doctor/examine-machine.ts';
import { readSettings } from '../../src/config.ts';
import { type EmbeddedServer, startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { readPidFile } from '../../src/db/embedded/pid-file.ts';
import { listPostgres } from '../../src/db/embedded/processes.ts';
import { parseBody } from '../../src/kernel/schema/json.ts';
import { afterFile } from '../support/each-file.ts';
import { factories, type Json, runConcurrently, waitUntil } from '../support/factories.ts';
import {
  createFolder,
  expectCleanLogs,
  findFreePort,
  isProcessAlive,
  listDatabaseProcesses,
  query,
  runCommand,
  type ServiceProcess,
  startService,
  toDatabaseUrl,
} from '../support/service.ts';
import { expectAllPosted, type Posters, startFollower, startPosters } from './posters.ts';

const PORT = String(await findFreePort());
const secrets: string[] = [];

/**
 * Creates a private thread of the first agent with one message, in which all of these agents may
 * post.
 */
async function setUp({ url }: { url: string }) {
  const f = factories({ url });
  const authors = await runConcurrently(6, () => f.createAgent());
  const [owner] = authors as [Json];
  const roomId = await f.createRoom(owner, 'private');
  for (const guest of authors.slice(1)) await f.addMember(owner, roomId, guest);
  secrets.push(...authors.map(({ key }) => key));
  return { owner, authors, threadId: await f.createThread(owner, roomId) };
}

/** Waits until this many more posts are acknowledged. */
const waitForMore = (posters: Posters, count: number) => {
  const goal = posters.acknowledged.length + count;
  return waitUntil(`${count} more posts`, () => posters.acknowledged.length >= goal);
};

const waitUntilReady = (service: ServiceProcess) =>
  waitUntil(
    'it is ready again',
    async () => (await factories(service).send('GET', '/readyz')).status === 200,
  );

describe('serve on its own database', () => {
  const DATA_DIR = join(createFolder(), 'data');
  const start = () => startService({ DATA_DIR, PORT });
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await start();
  });

  it('[newcomer.breakage-9] logs no member twice when it stops what a kill left', async () => {
    expect(await service.end('SIGKILL')).toBeNull();
    service = await start();
    const lines = service.listLogs().map((line) => parseBody(Buffer.from(line)) as Json);
    const [left] = lines.filter(({ msg }) => msg.startsWith('the database was left running'));
    expect(left).toMatchObject({ pid: service.pid, databasePid: expect.any(Number) });
  });

  it('[start.kill9-service] keeps acknowledged messages when killed', async () => {
    const { url } = service;
    const { owner, authors, threadId } = await setUp(service);
    const posters = startPosters(() => url, authors, threadId);
    for (let round = 0; round < 2; round++) {
      await waitForMore(posters, 60);
      expect(await service.end('SIGKILL')).toBeNull();
      service = await start();
    }
    await waitForMore(posters, 60);
    await posters.finish();
    expect([...posters.endings].sort()).toEqual(['200', 'no answer']);
    await expectAllPosted(url, owner, threadId, posters.acknowledged, 1);
  });

  it('[start.kill9-database] [event.exactly-once] survives a killed database', async () => {
    const { url } = service;
    const f = factories(service);
    const { owner, authors, threadId } = await setUp(service);
    const before = (await f.listEvents(owner)).nextCursor;
    const reader = startFollower(url, owner, before);
    const posters = startPosters(() => url, authors, threadId);
    await waitForMore(posters, 60);
    const database = await readPidFile(join(DATA_DIR, 'postgres', 'data'));
    expect(await listDatabaseProcesses()).toContain(database?.pid);
    process.kill(database?.pid ?? Number.NaN, 'SIGKILL');
    await waitUntil('posts are refused', () => posters.endings.has('503 with Retry-After'));
    expect((await f.send('GET', '/healthz')).status).toBe(200);
    await waitUntilReady(service);
    await waitForMore(posters, 60);
    await posters.finish();
    expect([...posters.endings].sort()).toEqual(['200', '503 with Retry-After']);
    await expectAllPosted(url, owner, threadId, posters.acknowledged, 1);
    const told = posters.acknowledged.filter(({ author }) => author !== owner.handle).length;
    await reader.readUpTo(before + told);
    expect(reader.seen).toEqual(Array.from({ length: told }, (_, index) => before + 1 + index));
  });

  it('[ops.sigterm] stops in time while a request waits for a lock', async () => {
    const { connection } = await startEmbedded({ dataDir: DATA_DIR, log: () => {}, attach: true });
    const own = new pg.Client(connection);
    // It is stopped together with the database.
    own.on('error', () => {});
    await own.connect();
    await own.query('BEGIN');
    await own.query('LOCK TABLE rooms');
    const waiting = factories(service)
      .send('GET', '/api/v1/rooms')
      .catch(() => 'no answer' as const);
    await waitUntil(
      'it waits',
      async () =>
        (await query(connection, "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))
          .length === 1,
    );
    expect(await service.end('SIGTERM')).toBe(0);
    expect(await listDatabaseProcesses()).toEqual([]);
    await own.end().catch(() => {});
    service = await start();
    // Its statement is cancelled; the refusal may or may not arrive before the connection ends.
    const ending = await waiting;
    expect(ending === 'no answer' ? 503 : ending.status).toBe(503);
  });

  it('[cli.doctor] [ops.sigterm] is healthy after all that, with no process left', async () => {
    const { code, out } = await runCommand('doctor', { DATA_DIR });
    expect(out).toContain('Nothing is wrong.');
    expect(code).toBe(0);
    expect((await listDatabaseProcesses()).length).toBeGreaterThan(0);
    expect(await service.end('SIGTERM')).toBe(0);
    expect(await listDatabaseProcesses()).toEqual([]);
    expect(await isProcessAlive(service.pid)).toBe(false);
  });
});

describe('serve on an external database', () => {
  const dataDir = createFolder();
  let database: EmbeddedServer;
  afterFile(() => database?.stop());

  it('[start.database-back] [ops.healthz] [ops.readyz] survives a stop of it', async () => {
    database = await startEmbedded({ dataDir, log: () => {} });
    const service = await startService({ DATABASE_URL: toDatabaseUrl(database.connection), PORT });
    const f = factories(service);
    const { owner, authors, threadId } = await setUp(service);
    const posters = startPosters(() => service.url, authors, threadId);
    await waitForMore(posters, 60);
    await database.stop();
    await waitUntil('posts are refused', () => posters.endings.has('503 with Retry-After'));
    const probes = await Promise.all(
      ['/healthz', '/readyz', '/api/v1/agents'].map((path) => f.send('GET', path)),
    );
    expect(probes.map(({ status }) => status)).toEqual([200, 503, 503]);
    for (const { status, headers, body } of probes)
      if (status === 503)
        expect({ code: body.code, retryAfter: headers.get('retry-after') }).toEqual({
          code: 'unavailable',
          retryAfter: expect.any(String),
        });
    database = await startEmbedded({ dataDir, log: () => {} });
    await waitUntilReady(service);
    await waitForMore(posters, 60);
    await posters.finish();
    expect([...posters.endings].sort()).toEqual(['200', '503 with Retry-After']);
    await expectAllPosted(service.url, owner, threadId, posters.acknowledged, 1);
    expect(await service.end('SIGTERM')).toBe(0);
  });
});

/** Mounts a small disk. Returns null where mounting is not allowed. */
function findSmallDisk(): string | null {
  const place = createFolder();
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', place], {
      stdio: 'ignore',
    });
    return place;
  } catch {
    return null;
  }
}

/** Fills the disk and returns a function that frees the space. */
function fillDisk(place: string): () => void {
  const filler = join(place, 'filler');
  const file = openSync(filler, 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(65_536, 1));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(file);
  }
  return () => rmSync(filler);
}

const disk = findSmallDisk();
afterAll(() => {
  if (disk !== null) execFileSync('/bin/umount', ['--lazy', disk]);
});

describe.skipIf(disk === null)(
  'serve on a full disk (skipped where a small disk cannot be mounted)',
  () => {
    const place = disk ?? '';
    it('[ops.full-disk] [cli.doctor] refuses writes and recovers', async () => {
      const DATA_DIR = join(place, 'data');
      const service = await startService({ DATA_DIR, PORT });
      const f = factories(service);
      const { owner, authors, threadId } = await setUp(service);
      const posters = startPosters(
        () => service.url,
        authors,
        threadId,
        `Under load ${randomBytes(15_000).toString('base64')}`,
      );
      await waitForMore(posters, 60);
      const release = fillDisk(place);
      await waitUntil('posts are refused', () => posters.endings.has('503 with Retry-After'));
      expect(await f.send('GET', '/api/v1/me', { key: owner.key })).toMatchObject({ status: 200 });
      // PostgreSQL needs a new file for its log at once, and stops because there is no room for it.
      const connection = {
        host: join(DATA_DIR, 'postgres', 'socket'),
        port: 5432,
        user: 'stoa',
        database: 'stoa',
      };
      await query(connection, 'SELECT pg_switch_wal(); CREATE TABLE more ()').catch(
        () => undefined,
      );
      await waitUntil(
        'the database is down',
        async () => (await f.send('GET', '/readyz')).status === 503,
      );
      expect((await f.send('GET', '/healthz')).status).toBe(200);
      expect(await examineDisk(place, readSettings({}))).toMatchObject({
        isOk: false,
        text: expect.stringContaining('Make room'),
      });
      release();
      await waitForMore(posters, 20);
      await posters.finish();
      expect([...posters.endings].sort()).toEqual(['200', '503 with Retry-After']);
      await expectAllPosted(service.url, owner, threadId, posters.acknowledged, 1);
      expect(await service.end('SIGTERM')).toBe(0);
    });
  },
);

it('[ops.hangup] serve stops its database when its terminal is closed', async () => {
  const DATA_DIR = createFolder();
  const service = await startService({ DATA_DIR });
  const listDatabase = () => listPostgres(join(DATA_DIR, 'postgres', 'data'));
  expect(await listDatabase()).not.toEqual([]);
  expect(await service.end('SIGHUP')).toBe(0);
  expect(await listDatabase()).toEqual([]);
});

it('[ops.logs] serve logs no key and no text in any of these tests', async () => {
  const service = await startService({ DATA_DIR: createFolder() });
  await setUp(service);
  expect(await service.end('SIGTERM')).toBe(0);
  expectCleanLogs([...secrets, 'Under load']);
});
