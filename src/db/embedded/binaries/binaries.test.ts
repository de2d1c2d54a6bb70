import { chmod, lstat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import {
  clean,
  cleanAll,
  copyPrograms,
  createFolder,
  getRefusal,
  insertText,
  listRows,
  readLogged,
  startServer,
} from '../../../../test/support/embedded-testbed.ts';
import { listSystemFolders } from './system-binaries.ts';

afterEach(clean);
afterAll(cleanAll);

const isInstalled = (await listSystemFolders()).length > 0;

describe('the programs', () => {
  it("[start.embedded] work when the package's install script did not run", async () => {
    const binaries = await copyPrograms(join(await createFolder(), 'native'));
    for (const name of ['postgres', 'initdb']) await chmod(join(binaries, 'bin', name), 0o644);
    const { location, connection } = await startServer({ dataDir: await createFolder(), binaries });
    await insertText(connection, 'kept');
    expect(location).toMatchObject({ source: 'shipped', binaries: join(binaries, 'bin') });
    expect((await lstat(join(binaries, 'lib', 'libpq.so.5'))).isSymbolicLink()).toBe(true);
  });

  it.skipIf(!isInstalled)(
    "[start.system-fallback] are the system's when the shipped ones cannot run, and it is logged",
    async () => {
      const dataDir = await createFolder();
      const binaries = join(await createFolder(), 'not-there');
      const first = await startServer({ dataDir, binaries });
      expect(first.location.source).toBe('system');
      expect(readLogged()).toMatch(
        /the shipped PostgreSQL cannot be used \(.*\): using the system's PostgreSQL \d+/,
      );
      await insertText(first.connection, 'kept');
      await first.stop();

      const broken = await copyPrograms(join(await createFolder(), 'native'));
      await writeFile(join(broken, 'bin', 'postgres'), 'for another processor');
      const second = await startServer({ dataDir, binaries: broken });
      expect(second.location.source).toBe('system');
      expect(await listRows(second.connection)).toEqual(['kept']);
      await second.stop();

      // The database stays with the version that made it, even when the shipped one can run again.
      expect(await listRows((await startServer({ dataDir })).connection)).toEqual(['kept']);
    },
  );

  it('[start.system-fallback] must have the version of the cluster', async () => {
    const dataDir = await createFolder();
    const { location, stop } = await startServer({ dataDir });
    await stop();
    await writeFile(join(location.data, 'PG_VERSION'), '14\n');
    const sentence = await getRefusal({ dataDir, binaries: join(dataDir, 'not-there') });
    expect(sentence).toMatch(/^EmbeddedServerError: /);
    expect(sentence).toMatch(isInstalled ? /made by PostgreSQL 14/ : /set DATABASE_URL/);
  });
});
