import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { toBlobPath } from '../../src/blobs/blobs.ts';
import { makeFolder } from '../../src/cli/backup/backup-folder.ts';
import { copyFileList, copyTables, packTables } from '../../src/cli/backup/copy-tables.ts';
import { writeManifest } from '../../src/cli/backup/manifest.ts';
import { fullPace } from '../../src/cli/backup/pace.ts';
import { openSession } from '../../src/db/copy/open-session.ts';
import { beginSnapshot } from '../../src/db/copy/read-snapshot.ts';
import { latestMigration, migrate } from '../../src/db/migrate.ts';
import { MIGRATION_LOCK } from '../../src/db/migration-lock.ts';
import { ensureRoles, OWNER_ROLE, SERVICE_ROLE } from '../../src/db/roles.ts';
import { createProgress } from '../../src/import/progress.ts';
import { createDatabase } from '../support/database.ts';
import { factories, type Json, waitUntil } from '../support/factories.ts';
import {
  type CommandResult,
  createFolder,
  query,
  runCommand,
  startCommand,
  startService,
  toDatabaseUrl,
} from '../support/service.ts';

type Target = Awaited<ReturnType<typeof createDatabase>>;

const server = inject('server');

/** Creates a database without any table. */
async function createEmptyDatabase(): Promise<Target> {
  const target = await createDatabase(server);
  await query(target, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  return target;
}

const source = await createEmptyDatabase();
const folder = createFolder();
const env = { DATABASE_URL: toDatabaseUrl(source), DATA_DIR: join(folder, 'data') };
const service = await startService(env);
const f = factories(service);
const owner = await f.createAgent();
const threadId = await f.createThread(owner, await f.createRoom(owner));
const files: Json[] = [];
for (const text of ['one', 'two', 'three', 'four']) {
  const { id } = await f.postMessage(owner, threadId, `See ${text}\t\\N "ä" 𝄞`);
  files.push(await f.attachFile(owner, id, { name: `${text}.txt`, bytes: text.repeat(5_000) }));
}
// `doctor` finds it wrong when acts wait for minutes, which these tests may take.
await waitUntil(
  'the log holds what was posted',
  async () => (await query(source, 'SELECT 1 FROM portable_queue')).length === 0,
);
await service.end('SIGTERM');

let count = 0;
const newFolder = () => join(folder, `backup-${++count}`);

/** Expects a command to be refused with one sentence as its last line. */
function expectRefusal({ code, err, out }: CommandResult, sentence: string | RegExp): void {
  expect(err.trim().split('\n').at(-1)).toMatch(sentence);
  expect(err).not.toMatch(/^ +at /m);
  expect({ code, out }).toEqual({ code: 1, out: '' });
}

async function backUp(given: Record<string, string> = env): Promise<string> {
  const made = newFolder();
  const { code, err, out } = await runCommand(`backup ${made}`, given);
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('is complete');
  return made;
}

/** Everything in a database, table by table. */
async function readRows(target: Target): Promise<Record<string, string[]>> {
  const tables = await query(
    target,
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'p'
       AND relname <> 'migrations'
     ORDER BY 1`,
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables)
    rows[name] = (await query(target, `SELECT t::text AS row FROM "${name}" t ORDER BY 1`)).map(
      ({ row }) => row,
    );
  return rows;
}

/** Constraints, triggers with their states, and sequences of a database. */
const readGuards = (target: Target) =>
  query(
    target,
    `SELECT conrelid::regclass::text || conname || pg_get_constraintdef(oid) AS guard
     FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL
     SELECT tgrelid::regclass::text || tgname || tgenabled::text
     FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL
     SELECT sequencename || coalesce(last_value, 0) FROM pg_sequences
     UNION ALL
     SELECT relname || coalesce(relacl::text, '') FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname LIKE 'ledger%'
     ORDER BY 1`,
  );

const toTarget = (target: Target, data = `data-${++count}`) => ({
  DATABASE_URL: toDatabaseUrl(target),
  DATA_DIR: join(folder, data),
});

describe('backup of an external database', () => {
  it('[backup.external] [backup.moment] restores every row, guard and file', async () => {
    const made = await backUp();
    const target = await createEmptyDatabase();
    const to = toTarget(target);
    const restored = await runCommand(`restore ${made}`, to);
    expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('stoa doctor') });
    expect(await readRows(target)).toEqual(await readRows(source));
    expect(await readGuards(target)).toEqual(await readGuards(source));
    expect(readdirSync(join(to.DATA_DIR, 'files', 'arriving'))).toEqual([]);
    for (const { sha256 } of files) {
      const path = join('files', 'stored', toBlobPath(sha256));
      expect(readFileSync(join(to.DATA_DIR, path))).toEqual(readFileSync(join(env.DATA_DIR, path)));
    }
  });

  // Only root can give a folder away, as its service does.
  it.runIf(process.getuid?.() === 0)(
    '[attack.61-4] (V14) root stores nothing in a folder of its service',
    async () => {
      const to = toTarget(await createEmptyDatabase());
      const stored = join(to.DATA_DIR, 'files');
      mkdirSync(stored, { recursive: true });
      chownSync(stored, 65_533, 65_533);
      expectRefusal(
        await runCommand(`restore ${await backUp()}`, to),
        /restore as the user that will serve/,
      );
      expect(readdirSync(stored)).toEqual([]);
    },
  );

  it('[attack.61-5] (API6) finds what a service that started at the same moment made', async () => {
    const made = await backUp();
    const target = await createEmptyDatabase();
    const client = new pg.Client(target);
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const restoring = startCommand(`restore ${made}`, toTarget(target));
    const isWaiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
      AND query LIKE 'SELECT pg_try_advisory_lock($1) AS taken'`;
    await waitUntil('it waits', async () => (await query(target, isWaiting)).length > 0);
    await client.query('CREATE TABLE agents (id uuid)');
    await client.end();
    expectRefusal(await restoring.ended, /is in use: it has tables/);
    expect(await query(target, 'SELECT * FROM agents')).toEqual([]);
  });

  it('[backup.external] needs the rights of the two roles and no superuser', async () => {
    const target = await createEmptyDatabase();
    const client = new pg.Client(target);
    await client.connect();
    await ensureRoles(client, target.database);
    await client.query(`ALTER SCHEMA public OWNER TO ${OWNER_ROLE}`);
    await client.end();
    const roles = {
      ...toTarget(target),
      DATABASE_URL: toDatabaseUrl({ ...target, user: SERVICE_ROLE }),
      DATABASE_OWNER_URL: toDatabaseUrl({ ...target, user: OWNER_ROLE }),
    };
    const restored = await runCommand(`restore ${await backUp()}`, roles);
    expect(restored).toMatchObject({ code: 0 });
    expect(await readRows(target)).toEqual(await readRows(source));
    await backUp(roles);
    expect(await runCommand('doctor', roles)).toMatchObject({ code: 0 });
  });

  it('[backup.keys] says that keys are in clear, and copies none despite DATA_KEY', async () => {
    const DATA_KEY = 'ab'.repeat(32);
    // The beginning of every private key of this kind (PKCS #8).
    const clear = '\\\\x308187';
    const readKeys = (made: string) =>
      gunzipSync(readFileSync(join(made, 'tables', 'signing_keys.copy.gz'))).toString();
    const open = newFolder();
    const { out } = await runCommand(`backup ${open}`, env);
    expect(out).toMatch(/in clear, because DATA_KEY is not set/);
    expect(readKeys(open)).toContain(clear);
    const own = toTarget(await createEmptyDatabase());
    expect(await runCommand(`restore ${open}`, own)).toMatchObject({ code: 0 });
    expectRefusal(
      await runCommand(`backup ${newFolder()}`, { ...own, DATA_KEY }),
      /DATA_KEY is set, but a signing key is still in clear .* Restart the service/,
    );
    const restarted = await startService({ ...own, DATA_KEY });
    await restarted.end('SIGTERM');
    const sealed = newFolder();
    const second = await runCommand(`backup ${sealed}`, { ...own, DATA_KEY });
    expect(second).toMatchObject({ code: 0, out: expect.not.stringContaining('clear') });
    expect(readKeys(sealed)).not.toContain(clear);
    const target = toTarget(await createEmptyDatabase());
    expectRefusal(await runCommand(`restore ${sealed}`, target), /sealed: set DATA_KEY/);
    expect(await runCommand(`restore ${sealed}`, { ...target, DATA_KEY })).toMatchObject({
      code: 0,
    });
  });

  it('[backup.checks-itself] tells a wrong ledger, a wrong log and lost bytes', async () => {
    const target = await createEmptyDatabase();
    const to = toTarget(target);
    await runCommand(`restore ${await backUp()}`, to);
    await query(
      target,
      `SET session_replication_role = replica;
       ALTER TABLE ledger_accounts DISABLE TRIGGER USER;
       ALTER TABLE log_entries DISABLE TRIGGER USER;
       UPDATE ledger_accounts SET balance = balance + 1
       WHERE id = (SELECT min(id) FROM ledger_accounts);
       UPDATE log_entries SET entry = sha256(entry) WHERE leaf_index = 1`,
    );
    const stored = join(to.DATA_DIR, 'files', 'stored', toBlobPath(files[0].sha256));
    renameSync(stored, `${stored}.away`);
    const made = newFolder();
    const { code, err } = await runCommand(`backup ${made}`, to);
    expect(code).toBe(1);
    expect(err).toMatch(/is complete, but .*The ledger is wrong.*The log is wrong/);
    expect(err).toContain(`1 files have lost their bytes, ${files[0].sha256}`);
    writeFileSync(stored, 'x'.repeat(15_000));
    expectRefusal(
      await runCommand(`backup ${newFolder()}`, to),
      `other bytes than it should under ${files[0].sha256}`,
    );
  });
});

describe('backup that is stopped', () => {
  it('[backup.resumable] runs again after kill -9 and keeps the files it has', async () => {
    const made = newFolder();
    const last = files
      .map(({ sha256 }) => sha256)
      .sort()
      .at(-1) as string;
    const others = files.map(({ sha256 }) => sha256).filter((sha256) => sha256 !== last);
    const stored = join(env.DATA_DIR, 'files', 'stored', toBlobPath(last));
    renameSync(stored, `${stored}.away`);
    // Whoever opens a pipe waits until somebody writes to it.
    execFileSync('mkfifo', [stored]);
    const started = startCommand(`backup ${made}`, env);
    const toCopy = (sha256: string) => join(made, 'files', toBlobPath(sha256));
    await waitUntil('the other files are copied', () =>
      others.every((sha256) => existsSync(toCopy(sha256))),
    );
    expectRefusal(
      await runCommand(`backup ${newFolder()}`, env),
      'Another backup of this installation is running',
    );
    started.kill('SIGKILL');
    expect((await started.ended).code).toBeNull();
    renameSync(`${stored}.away`, stored);
    const target = toTarget(await createEmptyDatabase());
    expectRefusal(await runCommand(`restore ${made}`, target), /unfinished: run the backup again/);
    const times = others.map((sha256) => statSync(toCopy(sha256)).mtimeMs);
    // It belongs to a file that was deleted between the runs.
    writeFileSync(`${toCopy(last)}0`, 'left over');
    expect(await runCommand(`backup ${made}`, env)).toMatchObject({
      code: 0,
      err: expect.stringContaining('An earlier run did not complete'),
    });
    expect(others.map((sha256) => statSync(toCopy(sha256)).mtimeMs)).toEqual(times);
    expect(existsSync(`${toCopy(last)}0`)).toBe(false);
    expect(readdirSync(made).sort()).toEqual(['files', 'files.txt.gz', 'manifest.json', 'tables']);
    expect(readdirSync(join(made, 'tables')).filter((name) => !name.endsWith('.gz'))).toEqual([]);
    const modes = [made, join(made, 'manifest.json'), toCopy(last)].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600]);
  });

  it('[backup.resumable] stops at a signal with a sentence', async () => {
    const client = new pg.Client(source);
    await client.connect();
    await client.query('BEGIN; LOCK TABLE agents IN ACCESS EXCLUSIVE MODE');
    const made = newFolder();
    const started = startCommand(`backup ${made}`, env);
    await waitUntil('the backup has begun', () => existsSync(join(made, 'unfinished.json')));
    started.kill('SIGINT');
    expectRefusal(await started.ended, /^Interrupted\. Run the same command again/);
    await client.end();
    expect(await runCommand(`backup ${made}`, env)).toMatchObject({ code: 0 });
  });

  it('[backup.resumable] refuses folders of others', async () => {
    const made = await backUp();
    expectRefusal(await runCommand(`backup ${made}`, env), 'has a complete backup already');
    expectRefusal(await runCommand(`backup ${env.DATA_DIR}`, env), 'has other files in it');
    expectRefusal(
      await runCommand(`backup ${newFolder()}`, { DATA_DIR: join(folder, 'nowhere') }),
      'no installation in the data folder',
    );
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });
});

describe('restore', () => {
  it('[restore.refuses] a database in use and a backup that is not whole', async () => {
    const made = await backUp();
    expectRefusal(
      await runCommand(`restore ${made}`, env),
      'database of DATABASE_URL is in use: it has tables',
    );
    const fresh = { DATA_DIR: join(folder, `data-${++count}`) };
    const change = (name: string, edit: (bytes: Buffer) => Buffer) => {
      const path = join(made, name);
      const bytes = readFileSync(path);
      writeFileSync(path, edit(Buffer.from(bytes)));
      return () => writeFileSync(path, bytes);
    };
    const flip = (bytes: Buffer) => {
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
      return bytes;
    };
    const file = join('files', toBlobPath(files[1].sha256));
    for (const name of ['tables/messages.copy.gz', 'files.txt.gz', file]) {
      const mend = change(name, flip);
      expectRefusal(await runCommand(`restore ${made}`, fresh), `${name} was changed`);
      mend();
    }
    for (const edit of [
      (text: string) => text.replace(/"last": "\d/, '"last": "9'),
      (text: string) => text.slice(0, -9),
      () => '[]',
    ]) {
      const mend = change('manifest.json', (bytes) => Buffer.from(edit(bytes.toString())));
      expectRefusal(await runCommand(`restore ${made}`, fresh), 'damaged: manifest.json');
      mend();
    }
    expectRefusal(await runCommand(`restore ${folder}`, fresh), 'There is no backup in');
    expect(existsSync(fresh.DATA_DIR)).toBe(false);
  });

  it('[restore.whole] migrates a backup of an older version, and refuses a newer one', async () => {
    const old = await createEmptyDatabase();
    const migration = latestMigration - 1;
    await migrate(old, undefined, { upTo: migration });
    const { signal } = new AbortController();
    const session = await openSession(old, signal);
    const id = randomUUID();
    await session.client.query(
      `INSERT INTO agents (id, handle, created_at, last_active_on)
       VALUES ('${id}', 'elder', now(), now())`,
    );
    await session.client.query(`INSERT INTO event_heads (agent_id) VALUES ('${id}')`);
    const made = newFolder();
    await makeFolder(made);
    const snapshot = await beginSnapshot(session);
    const progress = createProgress({ write: () => {} }, Date.now);
    const work = { progress, pace: fullPace, signal };
    const manifest = {
      stoa: '0.0.9',
      takenAt: snapshot.takenAt,
      migration,
      service: 'stoa',
      realm: 'test',
      baseUrl: null,
      signingKeys: null,
      tables: await packTables(await copyTables(session, snapshot, made, work), made, work),
      sequences: snapshot.sequences,
      fileList: (await copyFileList(session, made, signal)).list,
      lostFiles: [],
      faults: [],
    };
    await session[Symbol.asyncDispose]();
    const target = await createEmptyDatabase();
    const to = toTarget(target);
    await writeManifest(made, { ...manifest, migration: latestMigration + 1 });
    expectRefusal(
      await runCommand(`restore ${made}`, to),
      `at migration ${latestMigration + 1}, this version knows ${latestMigration}: restore it ` +
        'with Stoa 0.0.9 or newer',
    );
    await writeManifest(made, manifest);
    expect(await runCommand(`restore ${made}`, to)).toMatchObject({ code: 0 });
    expect(
      await query(target, 'SELECT handle, (SELECT max(id) FROM migrations) AS last FROM agents'),
    ).toEqual([{ handle: 'elder', last: latestMigration }]);
    expect(await runCommand('doctor', to)).toMatchObject({ code: 0 });
  });

  it('[restore.rerun] runs again after kill -9; nothing serves until then', async () => {
    const made = await backUp();
    const target = await createEmptyDatabase();
    const to = toTarget(target);
    // The mark is a table too, and its tag is CREATE TABLE AS.
    await query(
      target,
      `CREATE SCHEMA of_test;
       CREATE FUNCTION of_test.wait() RETURNS event_trigger LANGUAGE plpgsql
       AS 'BEGIN PERFORM pg_advisory_xact_lock(4711); END';
       CREATE EVENT TRIGGER wait ON ddl_command_start WHEN TAG IN ('CREATE TABLE')
       EXECUTE FUNCTION of_test.wait()`,
    );
    const client = new pg.Client(target);
    await client.connect();
    await client.query('SELECT pg_advisory_lock(4711)');
    const started = startCommand(`restore ${made}`, to);
    await waitUntil(
      'the restore has begun',
      async () =>
        (await query(target, "SELECT to_regclass('unfinished_restore') AS mark"))[0]?.mark !== null,
    );
    expectRefusal(await runCommand(`restore ${made}`, to), 'Another restore');
    started.kill('SIGKILL');
    await started.ended;
    await client.end();
    await query(target, 'DROP EVENT TRIGGER wait; DROP SCHEMA of_test CASCADE');
    for (const command of ['serve', 'migrate'])
      expectRefusal(await runCommand(command, to), 'run the same restore again');
    expect((await runCommand('doctor', to)).out).toContain('WRONG  A restore into this database');
    expectRefusal(await runCommand(`restore ${await backUp()}`, to), 'A restore of another backup');
    expect(await runCommand(`restore ${made}`, to)).toMatchObject({
      code: 0,
      err: expect.stringContaining('this one continues'),
    });
    expect(await readRows(target)).toEqual(await readRows(source));
    expect(await runCommand('doctor', to)).toMatchObject({ code: 0 });
  });
});
