import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isAlive, listPostgres, sendSignal } from '../../../src/db/embedded/processes.ts';
import { waitUntil } from '../../../src/db/embedded/wait-until.ts';
import {
  clean,
  cleanAll,
  createFolder,
  getPostmaster,
  insertText,
  isAnswering,
  kill,
  launch,
  listRows,
  query,
  readLogged,
  startElsewhere,
  startServer,
  stopElsewhere,
} from '../../support/embedded-testbed.ts';

afterEach(clean);
afterAll(cleanAll);

let dataDir: string;
beforeAll(async () => {
  dataDir = await createFolder();
});

describe('kill -9', () => {
  it('[start.kill9-database] of the database: it restarts with all acknowledged rows', async () => {
    const { connection, location } = await startServer({ dataDir });
    for (const round of ['1', '2', '3']) {
      await insertText(connection, round);
      const pid = await getPostmaster(location.data);
      sendSignal(pid, 'SIGKILL');
      await waitUntil(async () => !(await isAlive(pid)), 10_000);
      expect(await isAnswering(connection)).toBe(true);
      expect(await listRows(connection)).toContain(round);
    }
    expect(readLogged()).toContain('ended unexpectedly');
  });

  it('[start.kill9-database] of one backend: the service takes the lock again', async () => {
    const { connection, location } = await startServer({ dataDir });
    await insertText(connection, 'one backend');
    const lockOwner = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted";
    const [before] = await query<{ pid: number }>(connection, lockOwner);
    const postmaster = await getPostmaster(location.data);
    sendSignal(before?.pid ?? -1, 'SIGKILL');
    const isTakenAgain = async (): Promise<boolean> => {
      const [now] = await query<{ pid: number }>(connection, lockOwner).catch(() => []);
      return now !== undefined && now.pid !== before?.pid;
    };
    expect(await waitUntil(isTakenAgain, 20_000)).toBe(true);
    expect(await getPostmaster(location.data)).toBe(postmaster);
    expect(await listRows(connection)).toContain('one backend');
  });

  it('[start.kill9-database] a stop while it is down leaves no process', async () => {
    const { location, stop } = await startServer({ dataDir });
    sendSignal(await getPostmaster(location.data), 'SIGKILL');
    await stop();
    expect(await listPostgres(location.data)).toEqual([]);
  });

  it('[start.kill9-service] of the service: the next start ends the old database', async () => {
    const owner = await startElsewhere({ dataDir });
    await insertText(owner.connection, 'service');
    const orphan = await getPostmaster(owner.location.data);
    await kill(owner.child);
    expect(await isAlive(orphan)).toBe(true);

    const { connection, location } = await startServer({ dataDir });
    expect(await isAlive(orphan)).toBe(false);
    expect(await getPostmaster(location.data)).not.toBe(orphan);
    expect(await listRows(connection)).toContain('service');
  });

  it('[start.kill9-both] of both, with a backend that survives: the next start works', async () => {
    const owner = await startElsewhere({ dataDir });
    await insertText(owner.connection, 'both');
    const client = new Client({ ...owner.connection });
    client.on('error', () => undefined);
    await client.connect();
    const { rows: found } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const backend = found[0]?.pid ?? -1;
    // A stopped process cannot notice that its postmaster is gone, so it keeps the shared memory.
    sendSignal(backend, 'SIGSTOP');
    await kill(owner.child);
    sendSignal(await getPostmaster(owner.location.data), 'SIGKILL');

    const { connection } = await startServer({ dataDir });
    expect(await isAlive(backend)).toBe(false);
    expect(await listRows(connection)).toContain('both');
  });

  it('[start.kill9-service] during the first start does not prevent the next one', async () => {
    const dataDir = join(await createFolder(), 'data');
    for (const files of [0, 300, 900]) {
      const { child } = await launch({ dataDir });
      const isFar = async (): Promise<boolean> =>
        (await readdir(dataDir, { recursive: true }).catch(() => [])).length > files;
      await waitUntil(isFar, 10_000, 1);
      await kill(child);
    }
    const owner = await startElsewhere({ dataDir });
    await insertText(owner.connection, 'first');
    expect(await listRows(owner.connection)).toEqual(['first']);
    expect(await stopElsewhere(owner)).toBe(0);
    expect(await listPostgres(owner.location.data)).toEqual([]);
  });
});
