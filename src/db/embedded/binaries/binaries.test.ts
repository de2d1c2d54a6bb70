import { chmod, lstat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { systemFolders } from './system-binaries.ts';
import { add, clean, cleanAll, folder, logged, programs, refusal, rows, start } from '../testbed.ts';

afterEach(clean);
afterAll(cleanAll);

const installed = (await systemFolders()).length > 0;

describe('the programs', { timeout: 60_000 }, () => {
  it("[start.embedded] work when the package's install script did not run: symlinks and executable bits are made", async () => {
    const binaries = await programs(join(await folder(), 'native'));
    for (const name of ['postgres', 'initdb']) await chmod(join(binaries, 'bin', name), 0o644);
    const { location, connection } = await start({ dataDir: await folder(), binaries });
    await add(connection, 'kept');
    expect(location).toMatchObject({ source: 'shipped', binaries: join(binaries, 'bin') });
    expect((await lstat(join(binaries, 'lib', 'libpq.so.5'))).isSymbolicLink()).toBe(true);
  });

  it.skipIf(!installed)(
    "[start.system-fallback] are the system's when the shipped ones are missing or cannot run, and the log says so",
    async () => {
      const dataDir = await folder();
      const binaries = join(await folder(), 'not-there');
      const first = await start({ dataDir, binaries });
      expect(first.location.source).toBe('system');
      expect(logged()).toMatch(
        /the shipped PostgreSQL cannot be used \(.*\): using the system's PostgreSQL \d+/,
      );
      await add(first.connection, 'kept');
      await first.stop();

      const broken = await programs(join(await folder(), 'native'));
      await writeFile(join(broken, 'bin', 'postgres'), 'for another processor');
      const second = await start({ dataDir, binaries: broken });
      expect(second.location.source).toBe('system');
      expect(await rows(second.connection)).toEqual(['kept']);
      await second.stop();

      // The database stays with the version that made it, also when the shipped one can run again.
      expect(await rows((await start({ dataDir })).connection)).toEqual(['kept']);
    },
  );

  it('[start.system-fallback] are refused with a sentence when there are none of the version that is needed', async () => {
    const dataDir = await folder();
    const { location, stop } = await start({ dataDir });
    await stop();
    await writeFile(join(location.data, 'PG_VERSION'), '14\n');
    const sentence = await refusal({ dataDir, binaries: join(dataDir, 'not-there') });
    expect(sentence).toMatch(/^EmbeddedServerError: /);
    expect(sentence).toMatch(installed ? /made by PostgreSQL 14/ : /set DATABASE_URL/);
  });
});
