import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  clean,
  cleanAll,
  createFolder,
  getRefusal,
  insertText,
  listRows,
  query,
  readLogged,
  startServer,
} from '../../../test/support/embedded-testbed.ts';
import { listPostgres } from './processes.ts';

afterEach(clean);
afterAll(cleanAll);

let dataDir: string;
beforeAll(async () => {
  dataDir = join(await createFolder(), 'data');
});

describe('the embedded server', () => {
  it('[start.embedded] makes its database at the first start and keeps what is in it', async () => {
    const first = await startServer({ dataDir });
    await insertText(first.connection, 'before');
    await Promise.all([first.stop(), first.stop()]);
    await first.stop();
    expect(await listPostgres(first.location.data)).toEqual([]);

    const second = await startServer({ dataDir });
    expect(await listRows(second.connection)).toEqual(['before']);
    expect(second.connection).toEqual(first.connection);
    expect(second.location).toMatchObject({
      relocated: false,
      source: 'shipped',
      socket: second.connection.host,
    });
  });

  it('[start.durable] has the settings that keep an acknowledged row', async () => {
    const { connection } = await startServer({ dataDir });
    const names = [
      'fsync',
      'synchronous_commit',
      'full_page_writes',
      'data_checksums',
      'server_encoding',
    ];
    const found = await query<{ name: string; setting: string }>(
      connection,
      `SELECT name, setting FROM pg_settings WHERE name = ANY('{${names}}')`,
    );
    expect(Object.fromEntries(found.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
    });
    const [text] = await query<{ low: string; words: number; sorted: boolean }>(
      connection,
      "SELECT lower('ÄRGER') AS low, length(to_tsvector('simple', 'foo—bar')) AS words, 'Z' " +
        "< 'a' AND 'z' < 'ä' AS sorted",
    );
    expect(text).toEqual({ low: 'ärger', words: 2, sorted: true });
  });

  it('[start.socket-only] has no TCP port and a socket that only its user can reach', async () => {
    const { connection, location } = await startServer({ dataDir });
    const [found] = await query<{ listen_addresses: string; port: number | null }>(
      connection,
      "SELECT current_setting('listen_addresses') AS listen_addresses, inet_server_port() AS port",
    );
    expect(found).toEqual({ listen_addresses: '', port: null });
    expect((await stat(location.socket)).mode & 0o777).toBe(0o700);
    expect((await stat(location.data)).mode & 0o777).toBe(0o700);
    const pidFile = await readFile(join(location.data, 'postmaster.pid'), 'utf8');
    expect(pidFile.split('\n')[5]).toBe('');
  });

  it('[start.embedded] uses a short folder for the socket when DATA_DIR is too long', async () => {
    const dataDir = join(
      await createFolder(),
      'a-long-name-'.repeat(12),
      'and, another "one" with ünusual letters',
    );
    const first = await startServer({ dataDir });
    await insertText(first.connection, 'far');
    expect(first.connection.host.length).toBeLessThan(90);
    expect((await stat(first.connection.host)).mode & 0o777).toBe(0o700);
    expect(await getRefusal({ dataDir })).toContain('in use by another Stoa');
    await first.stop();
    const second = await startServer({ dataDir });
    expect(await listRows(second.connection)).toEqual(['far']);
    await second.stop();
    await rm(second.location.socket, { recursive: true });
  });

  it('[start.embedded] removes an incomplete database and creates a new one', async () => {
    const dataDir = await createFolder();
    const half = join(dataDir, 'postgres', 'data.init-0badcafe');
    await mkdir(half, { recursive: true });
    await chmod(join(dataDir, 'postgres'), 0o711);
    await writeFile(join(half, 'PG_VERSION'), '18\n');
    const { connection, location } = await startServer({ dataDir });
    await insertText(connection, 'whole');
    expect(
      (await readdir(join(location.data, '..'))).filter((name) => name.startsWith('data.')),
    ).toEqual([]);
  });

  it('[start.embedded] refuses a folder with other files and says what to do', async () => {
    const dataDir = await createFolder();
    await mkdir(join(dataDir, 'postgres', 'data'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'data', 'thesis.txt'), 'years of work');
    expect(await getRefusal({ dataDir })).toMatch(
      /^EmbeddedServerError: .*thesis\.txt.*move them away/,
    );
    expect(await readFile(join(dataDir, 'postgres', 'data', 'thesis.txt'), 'utf8')).toBe(
      'years of work',
    );
  });

  it('[start.embedded] refuses a cluster of another major version', async () => {
    const { location, stop } = await startServer({ dataDir });
    await stop();
    await writeFile(join(location.data, 'PG_VERSION'), '12\n');
    expect(await getRefusal({ dataDir })).toMatch(
      /^EmbeddedServerError: .*made by PostgreSQL 12, and this machine has 18/,
    );
    await writeFile(
      join(location.data, 'PG_VERSION'),
      `${Number.parseInt(location.version, 10)}\n`,
    );
  });

  it("[start.embedded] reports the server's last log lines when it does not start", async () => {
    const { location, stop } = await startServer({ dataDir });
    await stop();
    await writeFile(join(location.data, 'global', 'pg_control'), '');
    expect(await getRefusal({ dataDir })).toMatch(/did not start[\s\S]*pg_control/);
    expect(await listPostgres(location.data)).toEqual([]);
    expect(readLogged()).not.toContain('starting it again');
  });
});
