import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { afterFile } from '../../../test/support/each-file.ts';
import { prepareFolder } from './backup-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'stoa-backup-folder-'));
afterFile(() => rmSync(folder, { recursive: true }));

/** A user that is never the one of the tests. */
const OTHER_USER = 65_533;

it('[attack.11-7] (V14) a folder that others may enter is closed to them', async () => {
  chmodSync(folder, 0o755);
  expect(await prepareFolder(folder)).toBe(false);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  // A run that goes on with an unfinished backup checks again.
  chmodSync(folder, 0o777);
  expect(await prepareFolder(folder)).toBe(true);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

// Only root can give a folder away.
it.runIf(process.getuid?.() === 0)(
  '[attack.11-7] (V14) a folder of another user is refused, also with an unfinished backup',
  async () => {
    chownSync(folder, OTHER_USER, OTHER_USER);
    await expect(prepareFolder(folder)).rejects.toThrow(/belongs to another user/);
  },
);
