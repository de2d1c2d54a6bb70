import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isAlive, postgresIn, signal } from '../../../src/db/embedded/processes.ts';
import {
  add,
  answers,
  clean,
  cleanAll,
  folder,
  kill,
  launch,
  logged,
  postmasterOf,
  query,
  rows,
  start,
  startElsewhere,
  stopElsewhere,
} from '../../../src/db/embedded/testbed.ts';
import { until } from '../../../src/db/embedded/wait-until.ts';

afterEach(clean);
afterAll(cleanAll);

let dataDir: string;
beforeAll(async () => {
  dataDir = await folder();
});

describe('kill -9', { timeout: 60_000 }, () => {
  it('[start.kill9-database] of the database: it comes back by itself, at the same place, with all that was acknowledged', async () => {
    const { connection, location } = await start({ dataDir });
    for (const round of ['1', '2', '3']) {
      await add(connection, round);
      const pid = await postmasterOf(location.data);
      signal(pid, 'SIGKILL');
      await until(async () => !(await isAlive(pid)), 10_000);
      expect(await answers(connection)).toBe(true);
      expect(await rows(connection)).toContain(round);
    }
    expect(logged()).toContain('ended unexpectedly');
  });

  it('[start.kill9-database] of one backend: the lock is taken again and the service goes on', async () => {
    const { connection, location } = await start({ dataDir });
    await add(connection, 'one backend');
    const holder = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted";
    const [before] = await query<{ pid: number }>(connection, holder);
    const postmaster = await postmasterOf(location.data);
    signal(before?.pid ?? -1, 'SIGKILL');
    const again = async (): Promise<boolean> => {
      const [now] = await query<{ pid: number }>(connection, holder).catch(() => []);
      return now !== undefined && now.pid !== before?.pid;
    };
    expect(await until(again, 20_000)).toBe(true);
    expect(await postmasterOf(location.data)).toBe(postmaster);
    expect(await rows(connection)).toContain('one backend');
  });

  it('[start.kill9-database] a stop while it is down leaves no process', async () => {
    const { location, stop } = await start({ dataDir });
    signal(await postmasterOf(location.data), 'SIGKILL');
    await stop();
    expect(await postgresIn(location.data)).toEqual([]);
  });

  it('[start.kill9-service] of the service: the next start ends the database that it left and begins afresh', async () => {
    const owner = await startElsewhere({ dataDir });
    await add(owner.connection, 'service');
    const orphan = await postmasterOf(owner.location.data);
    await kill(owner.child);
    expect(await isAlive(orphan)).toBe(true);

    const { connection, location } = await start({ dataDir });
    expect(await isAlive(orphan)).toBe(false);
    expect(await postmasterOf(location.data)).not.toBe(orphan);
    expect(await rows(connection)).toContain('service');
  });

  it('[start.kill9-both] of both, with a backend that hangs on: the next start serves', async () => {
    const owner = await startElsewhere({ dataDir });
    await add(owner.connection, 'both');
    const client = new Client({ ...owner.connection });
    client.on('error', () => undefined);
    await client.connect();
    const { rows: found } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const backend = found[0]?.pid ?? -1;
    // A stopped process cannot notice that its postmaster is gone, and keeps the shared memory.
    signal(backend, 'SIGSTOP');
    await kill(owner.child);
    signal(await postmasterOf(owner.location.data), 'SIGKILL');

    const { connection } = await start({ dataDir });
    expect(await isAlive(backend)).toBe(false);
    expect(await rows(connection)).toContain('both');
  });

  it('[start.kill9-service] at any moment of the first start leaves nothing that stops the next one', async () => {
    const dataDir = join(await folder(), 'data');
    for (const files of [0, 300, 900]) {
      const { child } = await launch({ dataDir });
      const isFar = async (): Promise<boolean> =>
        (await readdir(dataDir, { recursive: true }).catch(() => [])).length > files;
      await until(isFar, 10_000, 1);
      await kill(child);
    }
    const owner = await startElsewhere({ dataDir });
    await add(owner.connection, 'first');
    expect(await rows(owner.connection)).toEqual(['first']);
    expect(await stopElsewhere(owner)).toBe(0);
    expect(await postgresIn(owner.location.data)).toEqual([]);
  });
});
