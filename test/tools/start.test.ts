import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { listPostgres } from '../../src/db/embedded/processes.ts';
import { waitUntil } from '../support/factories.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const dataFolder = await mkdtemp(join(tmpdir(), 'stoa-npm-start-'));
afterAll(() => rm(dataFolder, { recursive: true, force: true }));

describe('npm start', () => {
  it('[ops.npm-start] [newcomer.breakage-3] stops all when npm is told to stop', async () => {
    const { PATH = '', HOME = '' } = process.env;
    const npm = spawn('npm', ['start'], {
      cwd: root,
      env: { PATH, HOME, PORT: '0', DATA_DIR: dataFolder, LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let url = '';
    for await (const line of createInterface({ input: npm.stdout })) {
      url = /serves on (\S+)/.exec(line)?.[1] ?? '';
      if (url !== '') break;
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const listDatabases = () => listPostgres(join(dataFolder, 'postgres', 'data'));
    expect(await listDatabases()).not.toEqual([]);

    const exit = once(npm, 'exit');
    npm.kill('SIGTERM');
    await exit;
    await waitUntil('nothing answers any more', () =>
      fetch(`${url}/healthz`).then(
        () => false,
        () => true,
      ),
    );
    await waitUntil('the database has ended', async () => (await listDatabases()).length === 0);
  });
});
