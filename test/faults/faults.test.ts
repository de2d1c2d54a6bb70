import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { examineDisk } from '../../src/cli/examine-machine.ts';
import { readPidFile } from '../../src/db/embedded/pid-file.ts';
import { type EmbeddedServer, startEmbedded } from '../../src/db/embedded/embedded-server.ts';
import { afterFile } from '../support/each-file.ts';
import { factories, type Loose, together, until } from '../support/factories.ts';
import { expectAllThere, follow, type Posters, startPosters } from './posters.ts';
import {
  alive,
  command,
  databaseProcesses,
  expectCleanLogs,
  folder,
  freePort,
  query,
  type Service,
  serve,
  urlOf,
} from '../support/service.ts';

const PORT = String(await freePort());
const secrets: string[] = [];

/** A private thread of the first of some agents in which all of them may post; it has one message. */
async function scene({ url }: { url: string }) {
  const f = factories({ url });
  const authors = await together(6, () => f.agent());
  const [owner] = authors as [Loose];
  const roomId = await f.room(owner, 'private');
  for (const guest of authors.slice(1)) await f.invite(owner, roomId, guest);
  secrets.push(...authors.map(({ key }) => key));
  return { owner, authors, threadId: await f.thread(owner, roomId) };
}

/** Waits until this many more posts are acknowledged. */
const more = (posters: Posters, count: number) => {
  const goal = posters.acknowledged.length + count;
  return until(`${count} more posts`, () => posters.acknowledged.length >= goal);
};

const ready = (service: Service) =>
  until(
    'it is ready again',
    async () => (await factories(service).send('GET', '/readyz')).status === 200,
  );

describe('the service on its own database', { timeout: 60_000 }, () => {
  const DATA_DIR = join(folder(), 'data');
  const start = () => serve({ DATA_DIR, PORT });
  let service: Service;

  it('[start.kill9-service] keeps every acknowledged message when it is killed under load, and a repeat makes exactly one of each', async () => {
    service = await start();
    const { url } = service;
    const { owner, authors, threadId } = await scene(service);
    const posters = startPosters(() => url, authors, threadId);
    for (let round = 0; round < 2; round++) {
      await more(posters, 60);
      expect(await service.end('SIGKILL')).toBeNull();
      service = await start();
    }
    await more(posters, 60);
    await posters.finish();
    expect([...posters.endings].sort()).toEqual(['200', 'no answer']);
    await expectAllThere(url, owner, threadId, posters.acknowledged, 1);
  });

  it('[start.kill9-database] [event.exactly-once] answers 503 with Retry-After when its database is killed under load, and heals by itself', async () => {
    const { url } = service;
    const f = factories(service);
    const { owner, authors, threadId } = await scene(service);
    const before = (await f.events(owner)).nextCursor;
    const reader = follow(url, owner, before);
    const posters = startPosters(() => url, authors, threadId);
    await more(posters, 60);
    const database = await readPidFile(join(DATA_DIR, 'postgres', 'data'));
    expect(await databaseProcesses()).toContain(database?.pid);
    process.kill(database?.pid ?? Number.NaN, 'SIGKILL');
    await until('posts are refused', () => posters.endings.has('503 with Retry-After'));
    expect((await f.send('GET', '/healthz')).status).toBe(200);
    await ready(service);
    await more(posters, 60);
    await posters.finish();
    expect([...posters.endings].sort()).toEqual(['200', '503 with Retry-After']);
    await expectAllThere(url, owner, threadId, posters.acknowledged, 1);
    const told = posters.acknowledged.filter(({ author }) => author !== owner.handle).length;
    await reader.upTo(before + told);
    expect(reader.seen).toEqual(Array.from({ length: told }, (_, index) => before + 1 + index));
  });

  it('[ops.sigterm] ends in time while a request waits for what nobody lets go of, and leaves no process behind', async () => {
    const { connection } = await startEmbedded({ dataDir: DATA_DIR, log: () => {}, attach: true });
    const own = new pg.Client(connection);
    // It is ended together with the database.
    own.on('error', () => {});
    await own.connect();
    await own.query('BEGIN');
    await own.query('LOCK TABLE rooms');
    const waiting = factories(service)
      .send('GET', '/api/v1/rooms')
      .catch(() => 'no answer');
    await until(
      'it waits',
      async () =>
        (await query(connection, "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))
          .length === 1,
    );
    expect(await service.end('SIGTERM')).toBe(0);
    expect(await databaseProcesses()).toEqual([]);
    expect(await waiting).toBe('no answer');
    await own.end().catch(() => {});
    service = await start();
  });

  it('[cli.doctor] [ops.sigterm] is in order after all that, and leaves no process behind', async () => {
    const { code, out } = await command('doctor', { DATA_DIR });
    expect(out).toContain('Nothing is wrong.');
    expect(code).toBe(0);
    expect((await databaseProcesses()).length).toBeGreaterThan(0);
    expect(await service.end('SIGTERM')).toBe(0);
    expect(await databaseProcesses()).toEqual([]);
    expect(await alive(service.pid)).toBe(false);
  });
});

describe('the service on a database that somebody else runs', { timeout: 60_000 }, () => {
  const dataDir = folder();
  let database: EmbeddedServer;
  afterFile(() => database?.stop());

  it('[start.database-back] [ops.healthz] [ops.readyz] outlives a stop of it, and goes on when it is back', async () => {
    database = await startEmbedded({ dataDir, log: () => {} });
    const service = await serve({ DATABASE_URL: urlOf(database.connection), PORT });
    const f = factories(service);
    const { owner, authors, threadId } = await scene(service);
    const posters = startPosters(() => service.url, authors, threadId);
    await more(posters, 60);
    await database.stop();
    await until('posts are refused', () => posters.endings.has('503 with Retry-After'));
    const probes = await Promise.all(
      ['/healthz', '/readyz', '/api/v1/agents'].map((path) => f.send('GET', path)),
    );
    expect(probes.map(({ status }) => status)).toEqual([200, 503, 503]);
    for (const { status, headers, body } of probes)
      if (status === 503)
        expect([body.code, headers.get('retry-after')]).toEqual([
          'unavailable',
          expect.any(String),
        ]);
    database = await startEmbedded({ dataDir, log: () => {} });
    await ready(service);
    await more(posters, 60);
    await posters.finish();
    expect([...posters.endings].sort()).toEqual(['200', '503 with Retry-After']);
    await expectAllThere(service.url, owner, threadId, posters.acknowledged, 1);
    expect(await service.end('SIGTERM')).toBe(0);
  });
});

/** A small disk; null where one may not be made. */
function smallDisk(): string | null {
  const place = folder();
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', place], {
      stdio: 'ignore',
    });
    return place;
  } catch {
    return null;
  }
}

/** Takes all the space that is left. Returns how to give it back. */
function fill(place: string): () => void {
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

const disk = smallDisk();
afterAll(() => {
  if (disk !== null) execFileSync('/bin/umount', ['--lazy', disk]);
});

describe.skipIf(disk === null)(
  'the service on a disk that is full (skipped where a small disk may not be mounted)',
  { timeout: 60_000 },
  () => {
    const place = disk ?? '';
    it('[ops.full-disk] [cli.doctor] refuses to write, loses nothing and recovers by itself, even when the database had to give up', async () => {
      const DATA_DIR = join(place, 'data');
      const service = await serve({ DATA_DIR, PORT });
      const f = factories(service);
      const { owner, authors, threadId } = await scene(service);
      const posters = startPosters(
        () => service.url,
        authors,
        threadId,
        `Under load ${randomBytes(15_000).toString('base64')}`,
      );
      await more(posters, 60);
      const release = fill(place);
      await until('posts are refused', () => posters.endings.has('503 with Retry-After'));
      expect(await f.send('GET', '/api/v1/me', { key: owner.key })).toMatchObject({ status: 200 });
      // Needs a new file for its log at once, and ends because there is no room for it.
      const connection = {
        host: join(DATA_DIR, 'postgres', 'socket'),
        port: 5432,
        user: 'stoa',
        database: 'stoa',
      };
      await query(connection, 'SELECT pg_switch_wal(); CREATE TABLE more ()').catch(
        () => undefined,
      );
      await until(
        'the database is down',
        async () => (await f.send('GET', '/readyz')).status === 503,
      );
      expect((await f.send('GET', '/healthz')).status).toBe(200);
      expect(await examineDisk(place)).toMatchObject({
        right: false,
        text: expect.stringContaining('Make room'),
      });
      release();
      await more(posters, 20);
      await posters.finish();
      expect([...posters.endings].sort()).toEqual(['200', '503 with Retry-After']);
      await expectAllThere(service.url, owner, threadId, posters.acknowledged, 1);
      expect(await service.end('SIGTERM')).toBe(0);
    });
  },
);

it('[ops.logs] through all of it no key and no text was logged', () => {
  expectCleanLogs([...secrets, 'Under load']);
});
