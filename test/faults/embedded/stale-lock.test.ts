import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  chooseAccount,
  toProcessOptions,
} from '../../../src/db/embedded/account/server-account.ts';
import { isAlive } from '../../../src/db/embedded/processes.ts';
import {
  clean,
  cleanAll,
  createFolder,
  IS_ROOT,
  insertText,
  listRows,
  query,
  startElsewhere,
  startServer,
} from '../../support/embedded-testbed.ts';

afterEach(clean);
afterAll(cleanAll);

let dataDir: string;

/**
 * Creates a cluster with one row and the two lock files that a killed server of this pid leaves.
 */
async function leaveLock(pid: number | undefined): Promise<void> {
  dataDir ??= await createFolder();
  const { connection, location, stop } = await startServer({ dataDir });
  await query(connection, 'DROP TABLE IF EXISTS kept');
  await insertText(connection, 'kept');
  const text = await readFile(join(location.data, 'postmaster.pid'), 'utf8');
  await stop();
  const stale = pid === undefined ? '' : [String(pid), ...text.split('\n').slice(1)].join('\n');
  await writeFile(join(location.data, 'postmaster.pid'), stale);
  await writeFile(join(location.socket, '.s.PGSQL.5432.lock'), stale);
}

describe('a leftover lock file', () => {
  it('[start.stale-lock] of a pid that no process has', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    await leaveLock(child.pid);
    expect(await listRows((await startServer({ dataDir })).connection)).toEqual(['kept']);
  });

  it('[start.stale-lock] of a pid that another process has now: this very process', async () => {
    await leaveLock(process.pid);
    expect(await listRows((await startServer({ dataDir })).connection)).toEqual(['kept']);
  });

  it("[start.stale-lock] of a pid that a process of the database's user has now", async () => {
    const stranger = spawn('sleep', ['600'], {
      ...toProcessOptions(await chooseAccount()),
      stdio: 'ignore',
    });
    try {
      await leaveLock(stranger.pid);
      expect(await listRows((await startServer({ dataDir })).connection)).toEqual(['kept']);
      expect(await isAlive(stranger.pid ?? -1)).toBe(true);
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('[start.stale-lock] that is empty after a full disk', async () => {
    await leaveLock(undefined);
    expect(await listRows((await startServer({ dataDir })).connection)).toEqual(['kept']);
  });

  it.skipIf(!IS_ROOT)(
    '[start.stale-lock] as an ordinary user, of a pid that another process has now',
    async () => {
      const { uid, gid } = await chooseAccount();
      const stranger = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' });
      try {
        await leaveLock(stranger.pid);
        for (const path of ['', 'postgres', 'postgres/start.log'])
          await chown(join(dataDir, path), uid, gid);
        const owner = await startElsewhere({ dataDir }, { uid, gid });
        expect(owner.error).toBeUndefined();
        expect(await listRows(owner.connection)).toEqual(['kept']);
        expect(await isAlive(stranger.pid ?? -1)).toBe(true);
      } finally {
        stranger.kill('SIGKILL');
      }
    },
  );
});
