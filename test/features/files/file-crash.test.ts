import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { placeOf } from '../../../src/blobs/blobs.ts';
import { readSettings } from '../../../src/config.ts';
import { createDatabase } from '../../support/database.ts';
import { call, factories, type Loose, together, until } from '../../support/factories.ts';
import { filesOnDisk } from './files-on-disk.ts';
import { command, folder, freePort, query, type Service, serve, urlOf } from '../../support/service.ts';

const { connection, drop } = await createDatabase(inject('server'));
afterAll(drop);
const dataDir = join(folder(), 'data');
const env = { DATABASE_URL: urlOf(connection), DATA_DIR: dataDir, PORT: String(await freePort()) };
const { arriving, kept } = filesOnDisk({ dataDir });
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const counts = async (): Promise<Loose> =>
  (
    await query(
      connection,
      'SELECT (SELECT count(*)::int FROM files) AS files, (SELECT count(*)::int FROM blobs) AS blobs',
    )
  )[0];

/** The collector's work a day later, by a service of this process on the same database and folder. */
async function aDayLater(): Promise<void> {
  const settings = readSettings({ ...env, PORT: '0', REALM: 'test', LOG_LEVEL: 'silent' });
  await using app = createApp(settings, {
    connection,
    log: pino({ level: 'silent' }),
    clock: () => Date.now() + 25 * 3_600_000,
  });
  await app.jobs.runDue();
}

describe('a service that is killed', { timeout: 60_000 }, () => {
  it('[file.committed-last] [file.collected] between the claim and the row leaves no row, and within a day nothing', async () => {
    // A store that takes everything and never answers.
    const silent = createServer((request) => request.resume());
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const service = await serve({
      ...env,
      FILE_STORE: 's3://files',
      S3_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
    });
    const f = factories(service);
    const owner = await f.agent();
    const { id } = await f.post(owner, await f.thread(owner, await f.room(owner)), 'See the file');
    const going = f.attach(owner, id).catch(() => 'no answer');
    await until('it claimed its bytes', async () => (await counts()).blobs === 1);
    expect(await service.end('SIGKILL')).toBeNull();
    expect(await going).toBe('no answer');
    expect([await counts(), (await arriving()).length]).toEqual([{ files: 0, blobs: 1 }, 1]);
    silent.closeAllConnections();
    silent.close();
    await aDayLater();
    expect([await counts(), await arriving()]).toEqual([{ files: 0, blobs: 0 }, []]);
  });

  it('[file.committed-last] [file.idempotent] under load keeps every acknowledged file, and a repeat makes exactly one of each', async () => {
    let service: Service = await serve(env);
    const { url } = service;
    const f = factories(service);
    const owner = await f.agent();
    const thread = await f.thread(owner, await f.room(owner));
    const acknowledged: Loose[] = [];
    let finished = false;

    /** One file after the other, each sent again until it is acknowledged. */
    async function upload(): Promise<void> {
      while (!finished) {
        const bytes = Uint8Array.from(randomBytes(50_000));
        const idem = randomUUID();
        const message = randomUUID();
        const again = async (path: string, options: object): Promise<Loose> => {
          for (;;) {
            const answer = await call(url, 'POST', path, { key: owner.key, ...options }).catch(
              () => undefined,
            );
            if (answer?.status === 200) return answer.body;
            await new Promise((resolve) => setImmediate(resolve));
          }
        };
        const { id } = await again(`/api/v1/threads/${thread}/messages`, {
          idem: message,
          body: { body: 'See the file' },
        });
        const row = await again(`/api/v1/messages/${id}/files`, {
          idem,
          file: { name: 'random', bytes },
        });
        expect(row.sha256).toBe(sha256(bytes));
        acknowledged.push(row);
      }
    }
    const uploading = together(6, upload);
    for (let round = 1; round <= 3; round++) {
      await until('files are acknowledged', () => acknowledged.length >= round * 30);
      expect(await service.end('SIGKILL')).toBeNull();
      service = await serve(env);
    }
    await until('files are acknowledged', () => acknowledged.length >= 120);
    finished = true;
    await uploading;

    const rows = await query(
      connection,
      `SELECT id, encode(sha256, 'hex') AS sha256 FROM files ORDER BY id`,
    );
    expect(rows.map(({ id }) => id)).toEqual(acknowledged.map(({ id }) => id).sort());
    for (const row of rows)
      expect(sha256(readFileSync(join(dataDir, 'files', 'stored', placeOf(row.sha256))))).toBe(
        row.sha256,
      );
    expect(await service.end('SIGTERM')).toBe(0);
    await aDayLater();
    expect([(await kept()).length, await arriving(), await counts()]).toEqual([
      rows.length,
      [],
      { files: rows.length, blobs: rows.length },
    ]);
  });

  it('[cli.doctor] is told by the doctor when its files are not where it looks for them', async () => {
    const doctor = async (more: Record<string, string> = {}) =>
      (await command('doctor', { ...env, ...more })).out
        .split('\n')
        .filter((line) => /store of files|newest files/.test(line));
    expect(await doctor()).toEqual(['right  The newest files have their bytes.']);
    const [last = ''] = (await kept()).slice(-1);
    rmSync(join(dataDir, 'files', 'stored', last));
    expect(await doctor()).toEqual([
      expect.stringMatching(
        `^WRONG  1 of the newest files have no bytes, ${basename(last)} among them\\. Check`,
      ),
    ]);
    const aws = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'confidential' };
    const [line = ''] = await doctor({
      ...aws,
      FILE_STORE: 's3://files',
      S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    });
    expect(line).toMatch(
      /^WRONG {2}The store of files does not answer \(.*ECONNREFUSED.*\)\. Check FILE_STORE/,
    );
    expect(line).not.toContain('confidential');
  });
});
