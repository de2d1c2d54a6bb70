import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { afterFile } from '../../../test/support/each-file.ts';
import { hashFile, writeStream, writeWhole } from './backup-folder.ts';
import { fullPace } from './pace.ts';
import { prepareFolder } from './prepare-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'stoa-backup-folder-'));
afterFile(() => rmSync(folder, { recursive: true }));

/** A user that is never the one of the tests. */
const OTHER_USER = 65_533;

it('[attack.11-7] (V14) a folder that others may enter is closed to them', async () => {
  chmodSync(folder, 0o755);
  expect(await prepareFolder(folder)).toBe(false);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  // A run that goes on with an unfinished backup checks again.
  chmodSync(folder, 0o755);
  expect(await prepareFolder(folder)).toBe(true);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it('[attack.61-2] (V12) nothing is written to what others may have put into a folder', async () => {
  const other = join(folder, 'somebody');
  const precious = join(other, 'precious');
  const open = join(other, 'open');
  mkdirSync(open, { recursive: true });
  writeFileSync(precious, 'kept');
  const refused = (path: string) => expect(prepareFolder(path)).rejects.toThrow(/name an empty/);
  chmodSync(open, 0o777);
  writeFileSync(join(open, 'unfinished.json'), '{}');
  await refused(open);
  // The next attempt knows that it was open.
  await refused(open);
  rmSync(join(open, 'unfinished.json'));
  expect(await prepareFolder(open)).toBe(false);
  expect(statSync(open).mode & 0o777).toBe(0o700);
  // No folder that is closed by now has links in it, at any level.
  mkdirSync(join(open, 'files'));
  symlinkSync(other, join(open, 'files', 'ab'));
  await refused(open);
  rmSync(join(open, 'files', 'ab'));
  symlinkSync(precious, join(open, 'unfinished.json.new'));
  await refused(open);
  expect(readFileSync(precious, 'utf8')).toBe('kept');
});

it('[attack.61-2] (V12) a file is made anew, whatever waits at its place', async () => {
  const target = join(folder, 'target');
  writeFileSync(target, 'kept');
  for (const name of ['whole', 'stream']) symlinkSync(target, join(folder, `${name}.new`));
  await writeWhole(join(folder, 'whole'), 'written');
  const bytes = Readable.from([Buffer.from('streamed')]);
  await writeStream(join(folder, 'stream'), bytes, new AbortController().signal);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  expect(['target', 'whole', 'stream'].map(read)).toEqual(['kept', 'written', 'streamed']);
});

it('[attack.61-7] (API10) only regular files are read', async () => {
  const path = join(folder, 'endless');
  symlinkSync('/dev/zero', path);
  expect(await hashFile(path, 10, fullPace)).toBeNull();
  expect(await hashFile(join(folder, 'absent'), 10, fullPace)).toBeNull();
  // Nor is much more of one than it should have.
  const huge = join(folder, 'huge');
  writeFileSync(huge, 'abc');
  const hash = await hashFile(huge, 3, fullPace);
  truncateSync(huge, 4 * 1024 ** 4);
  expect(await hashFile(huge, 3, fullPace)).not.toBe(hash);
  rmSync(huge);
});

// Only root can give a folder away.
it.runIf(process.getuid?.() === 0)(
  '[attack.11-7] (V14) a folder of another user is refused, also with an unfinished backup',
  async () => {
    chownSync(folder, OTHER_USER, OTHER_USER);
    await expect(prepareFolder(folder)).rejects.toThrow(/belongs to another user/);
  },
);
