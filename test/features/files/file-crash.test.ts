import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { toBlobPath } from '../../../src/blobs/blobs.ts';
import { readSettings } from '../../../src/config.ts';
import { createDatabase } from '../../support/database.ts';
import { call, factories, type Json, runConcurrently, waitUntil } from '../../support/factories.ts';
import {
  createFolder,
  findFreePort,
  query,
  runCommand,
  type ServiceProcess,
  startService,
  toDatabaseUrl,
} from '../../support/service.ts';
import { createFolderLists } from './files-on-disk.ts';

const connection = await createDatabase(inject('server'));
const dataDir = join(createFolder(), 'data');
const env = {
  DATABASE_URL: toDatabaseUrl(connection),
  DATA_DIR: dataDir,
  PORT: String(await findFreePort()),
};
const { listArriving, listStored } = createFolderLists({ dataDir });
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const countRows = async (): Promise<Json> =>
  (
    await query(
      connection,
      'SELECT (SELECT count(*)::int FROM files) AS files, (SELECT count(*)::int FROM blobs) ' +
        'AS blobs',
    )
  )[0];

/**
 * Runs the garbage collector a day later, in a service of this process on the same database and
 * folder.
 */
async function restartDayLater(): Promise<void> {
  const settings = readSettings({ ...env, PORT: '0', REALM: 'test', LOG_LEVEL: 'silent' });
  await using app = createApp(settings, {
    connection,
    log: pino({ level: 'silent' }),
    clock: () => Date.now() + 25 * 3_600_000,
  });
  await app.jobs.runDue();
}

describe('attachFile when the service is killed', () => {
  it('[file.committed-last] [file.collected] leaves no row without bytes', async () => {
    // This store accepts everything and never answers.
    const silent = createServer((request) => request.resume());
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const service = await startService({
      ...env,
      FILE_STORE: 's3://files',
      S3_ENDPOINT: endpoint,
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
    });
    const f = factories(service);
    const owner = await f.createAgent();
    const { id } = await f.postMessage(
      owner,
      await f.createThread(owner, await f.createRoom(owner)),
      'See the file',
    );
    const going = f.attachFile(owner, id).catch(() => 'no answer');
    await waitUntil('it claimed its bytes', async () => (await countRows()).blobs === 1);
    expect(await service.end('SIGKILL')).toBeNull();
    expect(await going).toBe('no answer');
    expect({ rows: await countRows(), arriving: (await listArriving()).length }).toEqual({
      rows: { files: 0, blobs: 1 },
      arriving: 1,
    });
    silent.closeAllConnections();
    silent.close();
    await restartDayLater();
    expect({ rows: await countRows(), arriving: await listArriving() }).toEqual({
      rows: { files: 0, blobs: 0 },
      arriving: [],
    });
  });

  it('[file.committed-last] [file.idempotent] keeps every acknowledged file', async () => {
    let service: ServiceProcess = await startService(env);
    const { url } = service;
    const f = factories(service);
    const owner = await f.createAgent();
    const thread = await f.createThread(owner, await f.createRoom(owner));
    const acknowledged: Json[] = [];
    let finished = false;

    /** Sends one file after the other, each until it is acknowledged. */
    async function upload(): Promise<void> {
      while (!finished) {
        const bytes = Uint8Array.from(randomBytes(50_000));
        const idem = randomUUID();
        const message = randomUUID();
        const sendUntilAnswered = async (path: string, options: object): Promise<Json> => {
          for (;;) {
            const answer = await call(url, 'POST', path, { key: owner.key, ...options }).catch(
              () => undefined,
            );
            if (answer?.status === 200) return answer.body;
            await new Promise((resolve) => setImmediate(resolve));
          }
        };
        const { id } = await sendUntilAnswered(`/api/v1/threads/${thread}/messages`, {
          idem: message,
          body: { body: 'See the file' },
        });
        const row = await sendUntilAnswered(`/api/v1/messages/${id}/files`, {
          idem,
          file: { name: 'random', bytes },
        });
        expect(row.sha256).toBe(sha256(bytes));
        acknowledged.push(row);
      }
    }
    const uploading = runConcurrently(6, upload);
    for (let round = 1; round <= 3; round++) {
      await waitUntil('files are acknowledged', () => acknowledged.length >= round * 30);
      expect(await service.end('SIGKILL')).toBeNull();
      service = await startService(env);
    }
    await waitUntil('files are acknowledged', () => acknowledged.length >= 120);
    finished = true;
    await uploading;

    const rows = await query(
      connection,
      `SELECT id, encode(sha256, 'hex') AS sha256 FROM files ORDER BY id`,
    );
    expect(rows.map(({ id }) => id)).toEqual(acknowledged.map(({ id }) => id).sort());
    for (const row of rows)
      expect(sha256(readFileSync(join(dataDir, 'files', 'stored', toBlobPath(row.sha256))))).toBe(
        row.sha256,
      );
    expect(await service.end('SIGTERM')).toBe(0);
    await restartDayLater();
    expect({
      stored: (await listStored()).length,
      arriving: await listArriving(),
      rows: await countRows(),
    }).toEqual({
      stored: rows.length,
      arriving: [],
      rows: { files: rows.length, blobs: rows.length },
    });
  });

  it('[cli.doctor] doctor reports that the files are not where it looks for them', async () => {
    const runDoctor = async (more: Record<string, string> = {}) =>
      (await runCommand('doctor', { ...env, ...more })).out
        .split('\n')
        .filter((line) => /store of files|newest files/.test(line));
    expect(await runDoctor()).toEqual(['right  The newest files have their bytes.']);
    const [last = ''] = (await listStored()).slice(-1);
    rmSync(join(dataDir, 'files', 'stored', last));
    expect(await runDoctor()).toEqual([
      expect.stringMatching(
        `^WRONG  1 of the newest files have no bytes, ${basename(last)} among them\\. Check`,
      ),
    ]);
    const aws = { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'confidential' };
    const [line = ''] = await runDoctor({
      ...aws,
      FILE_STORE: 's3://files',
      S3_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`,
    });
    expect(line).toMatch(
      /^WRONG {2}The store of files does not answer \(.*ECONNREFUSED.*\)\. Check FILE_STORE/,
    );
    expect(line).not.toContain('confidential');
  });
});
