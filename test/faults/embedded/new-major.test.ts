import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { listSystemFolders } from '../../../src/db/embedded/binaries/system-binaries.ts';
import { clean, cleanAll, startServer } from '../../support/embedded-testbed.ts';
import { factories } from '../../support/factories.ts';
import { createFolder, runCommand, startService } from '../../support/service.ts';

afterEach(clean);
afterAll(cleanAll);

const isInstalled = (await listSystemFolders()).length > 0;

/*
 * The system's PostgreSQL stands for the version that an earlier Stoa shipped: a database stays
 * with the version that made it until somebody moves it.
 */
it.skipIf(!isInstalled)(
  '[start.new-major] backup and restore move an installation to another PostgreSQL',
  async () => {
    const from = createFolder();
    const to = join(createFolder(), 'new');
    const old = await startServer({ dataDir: from, binaries: join(from, 'not-there') });
    expect(old.location.source).toBe('system');
    await old.stop();

    const before = await startService({ DATA_DIR: from });
    const f = factories(before);
    const author = await f.createAgent();
    const thread = await f.createThread(author, await f.createRoom(author));
    const message = await f.postMessage(author, thread, 'It is still here.');
    const file = await f.attachFile(author, message.id, { name: 'a.txt', bytes: 'And this.' });
    expect(before.readOutput()).toContain(`own PostgreSQL:   ${old.location.version} (system)`);
    expect(await before.end('SIGTERM')).toBe(0);

    const made = join(createFolder(), 'made');
    expect((await runCommand(`backup ${made}`, { DATA_DIR: from })).code).toBe(0);
    expect((await runCommand(`restore ${made}`, { DATA_DIR: to })).code).toBe(0);
    const after = await startService({ DATA_DIR: to });
    expect(after.readOutput()).toMatch(/own PostgreSQL: {3}\d+\.\d+ \(shipped\)/);
    const n = factories(after);
    expect(await n.ok('GET', `/api/v1/messages/${message.id}`)).toMatchObject({
      body: 'It is still here.',
    });
    expect((await n.send('GET', `/api/v1/files/${file.id}`)).text).toBe('And this.');
    // Keys, cursors and the log go on.
    await n.postMessage(author, thread, 'It goes on.');
    expect(await after.end('SIGTERM')).toBe(0);
    expect((await runCommand('doctor', { DATA_DIR: to })).code).toBe(0);
    // The old one is as it was, and can be served again.
    expect(await readFile(join(old.location.data, 'PG_VERSION'), 'utf8')).toBe(
      `${Number.parseInt(old.location.version, 10)}\n`,
    );
  },
);
