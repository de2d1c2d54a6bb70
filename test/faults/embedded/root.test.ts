import { chmod, chown, cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { listBlockers } from '../../../src/db/embedded/account/list-blockers.ts';
import {
  chooseAccount,
  toProcessOptions,
} from '../../../src/db/embedded/account/server-account.ts';
import {
  clean,
  cleanAll,
  copyPrograms,
  createFolder,
  getPostmaster,
  getRefusal,
  IS_ROOT,
  insertText,
  listRows,
  readLogged,
  startElsewhere,
  startServer,
  stopElsewhere,
} from '../../support/embedded-testbed.ts';
import { askForSession } from './ask-for-session.ts';

afterEach(clean);
afterAll(cleanAll);

describe.skipIf(!IS_ROOT)('as root', () => {
  it('[start.root] runs the database as an ordinary user, who owns the cluster', async () => {
    const { connection, location } = await startServer({ dataDir: await createFolder() });
    await insertText(connection, 'kept');
    const account = await chooseAccount();
    expect(account.uid).toBeGreaterThan(0);
    expect(location.user).toBe(account.name);
    const status = await readFile(`/proc/${await getPostmaster(location.data)}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Uid:\\s+${account.uid}\\s+${account.uid}`, 'm'));
    expect((await stat(location.data)).uid).toBe(account.uid);
  });

  it("[start.root] leaves a cluster to its user, and takes over a copy of root's", async () => {
    const dataDir = await createFolder();
    const daemon = { uid: 1, gid: 1 };
    await chown(dataDir, daemon.uid, daemon.gid);
    const theirs = await startElsewhere({ dataDir }, daemon);
    expect(theirs.error).toBeUndefined();
    await insertText(theirs.connection, 'kept');
    await stopElsewhere(theirs);
    await chmod(join(dataDir, 'postgres'), 0o755);

    const ours = await startServer({ dataDir });
    expect((await stat(ours.location.data)).uid).toBe(daemon.uid);
    expect(await listRows(ours.connection)).toEqual(['kept']);
    await ours.stop();

    const copy = await createFolder();
    await cp(join(dataDir, 'postgres', 'data'), join(copy, 'postgres', 'data'), {
      recursive: true,
    });
    expect((await stat(join(copy, 'postgres', 'data'))).uid).toBe(0);
    expect(await listRows((await startServer({ dataDir: copy })).connection)).toEqual(['kept']);
  });

  it('[start.own-user] lets no other program of its account connect', async () => {
    const { location } = await startServer({ dataDir: await createFolder() });
    const account = await chooseAccount();
    // Another program that runs as the same user reaches the socket, and is still refused.
    const answer = await askForSession(location.socket, 'stoa', account);
    expect(answer).toContain('Peer authentication failed');
  });

  it('[start.own-user] takes a cluster from nobody', async () => {
    const dataDir = await createFolder();
    const first = await startServer({ dataDir });
    await insertText(first.connection, 'kept');
    await first.stop();
    await chown(first.location.data, 65_534, 65_534);
    const second = await startServer({ dataDir });
    expect((await stat(second.location.data)).uid).not.toBe(65_534);
    expect(await listRows(second.connection)).toEqual(['kept']);
  });

  it('[start.root-only-clone] stores programs and data where the user can reach them', async () => {
    const top = await createFolder();
    const clone = join(top, 'root-only');
    await mkdir(clone, { mode: 0o700 });
    const dataDir = join(clone, 'data');
    const elsewhere = join(top, 'elsewhere');
    const binaries = await copyPrograms(join(clone, 'native'));

    const first = await startServer({ dataDir, elsewhere, binaries });
    expect(first.location).toMatchObject({ relocated: true, source: 'shipped' });
    expect(first.location.data.startsWith(elsewhere)).toBe(true);
    expect(first.location.binaries.startsWith(elsewhere)).toBe(true);
    expect(readLogged()).toContain(`the database is stored in ${join(first.location.data, '..')}`);
    expect(await readFile(join(dataDir, 'database-is-elsewhere.txt'), 'utf8')).toContain(
      `folder: ${join(first.location.data, '..')}`,
    );
    await insertText(first.connection, 'kept');
    await first.stop();

    const second = await startServer({ dataDir, elsewhere, binaries });
    expect(second.location).toEqual(first.location);
    expect(await listRows(second.connection)).toEqual(['kept']);
    expect(await getRefusal({ dataDir, elsewhere, binaries })).toContain('in use by another Stoa');
    expect(await readdir(elsewhere)).toHaveLength(1);
    await second.stop();

    // A copy of DATA_DIR is refused, a moved DATA_DIR has the same database, and an empty database
    // does not replace a lost one.
    await cp(dataDir, join(clone, 'copy'), { recursive: true });
    expect(await getRefusal({ dataDir: join(clone, 'copy'), elsewhere, binaries })).toMatch(
      /belongs to .*\/data, and .*\/copy is a copy of that/,
    );
    await rename(dataDir, join(clone, 'moved'));
    const moved = await startServer({ dataDir: join(clone, 'moved'), elsewhere, binaries });
    expect(await listRows(moved.connection)).toEqual(['kept']);
    await moved.stop();
    await rm(elsewhere, { recursive: true });
    expect(await getRefusal({ dataDir: join(clone, 'moved'), elsewhere, binaries })).toMatch(
      /does not exist: restore that folder, or delete the note/,
    );
  });

  it('[start.root-only-clone] copies only the programs when it can', async () => {
    const clone = join(await createFolder(), 'root-only');
    const dataDir = await createFolder();
    await mkdir(clone, { mode: 0o700 });
    const binaries = await copyPrograms(join(clone, 'native'));
    const { location, connection } = await startServer({ dataDir, binaries });
    expect(location).toMatchObject({ relocated: false, data: join(dataDir, 'postgres', 'data') });
    expect(location.binaries.startsWith(join(dataDir, 'postgres', 'binaries'))).toBe(true);
    await insertText(connection, 'kept');
  });

  it('[start.root-only-clone] lets only the database user pass a closed DATA_DIR', async () => {
    const dataDir = join(await createFolder(), 'data');
    await mkdir(dataDir, { mode: 0o700 });
    const { location, connection } = await startServer({ dataDir });
    await insertText(connection, 'kept');
    const account = await chooseAccount();
    expect(location.relocated).toBe(false);
    expect(await stat(dataDir)).toMatchObject({ mode: 0o40710, gid: account.gid });
    expect(await listBlockers(location.data, { ...account, uid: 12345, gid: 12345 })).toContain(
      dataDir,
    );
  });

  it('[start.embedded] [ops.fresh-machine] runs as the ordinary user who starts it', async () => {
    const dataDir = await createFolder();
    const account = await chooseAccount();
    await chown(dataDir, account.uid, account.gid);
    const owner = await startElsewhere({ dataDir }, toProcessOptions(account));
    expect(owner.error).toBeUndefined();
    expect(owner.location).toMatchObject({ user: account.name, relocated: false });
    await insertText(owner.connection, 'kept');
    expect(await stopElsewhere(owner)).toBe(0);

    const stranger = await startElsewhere({ dataDir }, { uid: 65534, gid: 65534 });
    expect(stranger.error).toMatch(
      /^EmbeddedServerError: .*start it as the user who started it first/,
    );
  });
});
