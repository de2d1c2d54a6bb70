import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { as, chooseAccount } from '../../../src/db/embedded/server-account.ts';
import { isAlive } from '../../../src/db/embedded/processes.ts';
import {
  add,
  clean,
  cleanAll,
  folder,
  isRoot,
  query,
  rows,
  start,
  startElsewhere,
} from '../../../src/db/embedded/testbed.ts';

afterEach(clean);
afterAll(cleanAll);

let dataDir: string;

/** A cluster with one row and the two lock files that a killed server of this pid would have left. */
async function leaveLock(pid: number | undefined): Promise<void> {
  dataDir ??= await folder();
  const { connection, location, stop } = await start({ dataDir });
  await query(connection, 'DROP TABLE IF EXISTS kept');
  await add(connection, 'kept');
  const text = await readFile(join(location.data, 'postmaster.pid'), 'utf8');
  await stop();
  const stale = pid === undefined ? '' : [String(pid), ...text.split('\n').slice(1)].join('\n');
  await writeFile(join(location.data, 'postmaster.pid'), stale);
  await writeFile(join(location.socket, '.s.PGSQL.5432.lock'), stale);
}

describe('a lock file that is left over', { timeout: 60_000 }, () => {
  it('[start.stale-lock] of a pid that no process has', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    await leaveLock(child.pid);
    expect(await rows((await start({ dataDir })).connection)).toEqual(['kept']);
  });

  it('[start.stale-lock] of a pid that is a stranger now: this very process', async () => {
    await leaveLock(process.pid);
    expect(await rows((await start({ dataDir })).connection)).toEqual(['kept']);
  });

  it("[start.stale-lock] of a pid that is a stranger of the database's own user now, who is not harmed", async () => {
    const stranger = spawn('sleep', ['600'], { ...as(await chooseAccount()), stdio: 'ignore' });
    try {
      await leaveLock(stranger.pid);
      expect(await rows((await start({ dataDir })).connection)).toEqual(['kept']);
      expect(await isAlive(stranger.pid ?? -1)).toBe(true);
    } finally {
      stranger.kill('SIGKILL');
    }
  });

  it('[start.stale-lock] that a full disk left empty', async () => {
    await leaveLock(undefined);
    expect(await rows((await start({ dataDir })).connection)).toEqual(['kept']);
  });

  it.skipIf(!isRoot)(
    '[start.stale-lock] as an ordinary user, of a pid that is a stranger now',
    async () => {
      const { uid, gid } = await chooseAccount();
      const stranger = spawn('sleep', ['600'], { uid, gid, stdio: 'ignore' });
      try {
        await leaveLock(stranger.pid);
        for (const path of ['', 'postgres', 'postgres/start.log'])
          await chown(join(dataDir, path), uid, gid);
        const owner = await startElsewhere({ dataDir }, { uid, gid });
        expect(owner.error).toBeUndefined();
        expect(await rows(owner.connection)).toEqual(['kept']);
        expect(await isAlive(stranger.pid ?? -1)).toBe(true);
      } finally {
        stranger.kill('SIGKILL');
      }
    },
  );
});
