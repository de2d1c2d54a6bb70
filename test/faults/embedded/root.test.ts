import { chmod, chown, cp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { as, chooseAccount } from '../../../src/db/embedded/server-account.ts';
import { blockersOf } from '../../../src/db/embedded/list-blockers.ts';
import {
  add,
  clean,
  cleanAll,
  folder,
  isRoot,
  logged,
  postmasterOf,
  programs,
  refusal,
  rows,
  start,
  startElsewhere,
  stopElsewhere,
} from '../../../src/db/embedded/testbed.ts';

afterEach(clean);
afterAll(cleanAll);

describe.skipIf(!isRoot)('as root', { timeout: 60_000 }, () => {
  it('[start.root] runs the database as an ordinary user, who owns the cluster', async () => {
    const { connection, location } = await start({ dataDir: await folder() });
    await add(connection, 'kept');
    const account = await chooseAccount();
    expect(account.uid).toBeGreaterThan(0);
    expect(location.user).toBe(account.name);
    const status = await readFile(`/proc/${await postmasterOf(location.data)}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Uid:\\s+${account.uid}\\s+${account.uid}`, 'm'));
    expect((await stat(location.data)).uid).toBe(account.uid);
  });

  it("[start.root] leaves another user's cluster to that user, and takes back a copy that belongs to root", async () => {
    const dataDir = await folder();
    const nobody = { uid: 65534, gid: 65534 };
    await chown(dataDir, nobody.uid, nobody.gid);
    const theirs = await startElsewhere({ dataDir }, nobody);
    expect(theirs.error).toBeUndefined();
    await add(theirs.connection, 'kept');
    await stopElsewhere(theirs);
    await chmod(join(dataDir, 'postgres'), 0o755);

    const ours = await start({ dataDir });
    expect((await stat(ours.location.data)).uid).toBe(nobody.uid);
    expect(await rows(ours.connection)).toEqual(['kept']);
    await ours.stop();

    const copy = await folder();
    await cp(join(dataDir, 'postgres', 'data'), join(copy, 'postgres', 'data'), {
      recursive: true,
    });
    expect((await stat(join(copy, 'postgres', 'data'))).uid).toBe(0);
    expect(await rows((await start({ dataDir: copy })).connection)).toEqual(['kept']);
  });

  it('[start.root-only-clone] keeps programs and data where the user can reach them, says where, and finds them again', async () => {
    const top = await folder();
    const clone = join(top, 'root-only');
    await mkdir(clone, { mode: 0o700 });
    const [dataDir, elsewhere] = [join(clone, 'data'), join(top, 'elsewhere')];
    const binaries = await programs(join(clone, 'native'));

    const first = await start({ dataDir, elsewhere, binaries });
    expect(first.location).toMatchObject({ relocated: true, source: 'shipped' });
    expect(first.location.data.startsWith(elsewhere)).toBe(true);
    expect(first.location.binaries.startsWith(elsewhere)).toBe(true);
    expect(logged()).toContain(`the database is kept in ${join(first.location.data, '..')}`);
    expect(await readFile(join(dataDir, 'database-is-elsewhere.txt'), 'utf8')).toContain(
      `folder: ${join(first.location.data, '..')}`,
    );
    await add(first.connection, 'kept');
    await first.stop();

    const second = await start({ dataDir, elsewhere, binaries });
    expect(second.location).toEqual(first.location);
    expect(await rows(second.connection)).toEqual(['kept']);
    expect(await refusal({ dataDir, elsewhere, binaries })).toContain('in use by another Stoa');
    expect(await readdir(elsewhere)).toHaveLength(1);
    await second.stop();

    // A copy of the folder is refused, the moved folder is the same database, and a lost database is not replaced by an empty one.
    await cp(dataDir, join(clone, 'copy'), { recursive: true });
    expect(await refusal({ dataDir: join(clone, 'copy'), elsewhere, binaries })).toMatch(
      /belongs to .*\/data, of which .*\/copy is a copy/,
    );
    await rename(dataDir, join(clone, 'moved'));
    const moved = await start({ dataDir: join(clone, 'moved'), elsewhere, binaries });
    expect(await rows(moved.connection)).toEqual(['kept']);
    await moved.stop();
    await rm(elsewhere, { recursive: true });
    expect(await refusal({ dataDir: join(clone, 'moved'), elsewhere, binaries })).toMatch(
      /does not exist: bring that folder back, or delete the note/,
    );
  });

  it('[start.root-only-clone] copies only the programs when only they are out of reach', async () => {
    const [clone, dataDir] = [join(await folder(), 'root-only'), await folder()];
    await mkdir(clone, { mode: 0o700 });
    const binaries = await programs(join(clone, 'native'));
    const { location, connection } = await start({ dataDir, binaries });
    expect(location).toMatchObject({ relocated: false, data: join(dataDir, 'postgres', 'data') });
    expect(location.binaries.startsWith(join(dataDir, 'postgres', 'binaries'))).toBe(true);
    await add(connection, 'kept');
  });

  it('[start.root-only-clone] lets the user pass through a DATA_DIR that is closed itself, and no one else', async () => {
    const dataDir = join(await folder(), 'data');
    await mkdir(dataDir, { mode: 0o700 });
    const { location, connection } = await start({ dataDir });
    await add(connection, 'kept');
    const account = await chooseAccount();
    expect(location.relocated).toBe(false);
    expect(await stat(dataDir)).toMatchObject({ mode: 0o40710, gid: account.gid });
    expect(await blockersOf(location.data, { ...account, uid: 12345, gid: 12345 })).toContain(
      dataDir,
    );
  });

  it('[start.embedded] runs as an ordinary user, as whom it is started', async () => {
    const dataDir = await folder();
    const account = await chooseAccount();
    await chown(dataDir, account.uid, account.gid);
    const owner = await startElsewhere({ dataDir }, as(account));
    expect(owner.error).toBeUndefined();
    expect(owner.location).toMatchObject({ user: account.name, relocated: false });
    await add(owner.connection, 'kept');
    expect(await stopElsewhere(owner)).toBe(0);

    const stranger = await startElsewhere({ dataDir }, { uid: 65534, gid: 65534 });
    expect(stranger.error).toMatch(
      /^EmbeddedServerError: .*start it as the user who started it first/,
    );
  });
});
