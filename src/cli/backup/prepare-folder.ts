import { chmod, lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../describe-error.ts';
import { FOLDER_MODE, LOST_AND_FOUND, makeFolder, toPaths, writeWhole } from './backup-folder.ts';

const isOurs = ({ uid }: { readonly uid: number }): boolean =>
  !process.getuid || uid === process.getuid();

/** Errors: CommandError for the first thing in a folder that is a link, or belongs to others. */
async function assertOurs(folder: string, isTop = true): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const found = await lstat(path);
    if (isTop && entry.name === LOST_AND_FOUND && found.isDirectory() && found.uid === 0) continue;
    if (found.isSymbolicLink() || !isOurs(found))
      throw new CommandError(
        `${path} is a link or belongs to another user, who could read the backup or change it: ` +
          'name an empty or a new folder.',
      );
    if (found.isDirectory()) await assertOurs(path, false);
  }
}

/**
 * Makes sure that nobody else can write into a folder or read what is written there: a folder of
 * ours that others may enter is closed to them, unless they could put something into it before.
 * Errors: CommandError when it, or something in it, belongs to another user or may do so.
 */
async function closeToOthers(folder: string): Promise<void> {
  const found = await stat(folder);
  if (!isOurs(found))
    throw new CommandError(
      `${folder} belongs to another user, who could read the backup or change it: name a folder ` +
        'of your own, or a new one in it.',
    );
  if ((found.mode & 0o077) !== 0) await chmod(folder, FOLDER_MODE);
  try {
    if (((await stat(folder)).mode & 0o077) !== 0)
      throw new CommandError(
        `${folder} cannot be closed to others: its file system keeps the modes that it was ` +
          'mounted with. Name a folder on another one.',
      );
    const isShared = (found.mode & 0o022) !== 0;
    if (isShared && (await readdir(folder)).some((name) => name !== LOST_AND_FOUND))
      throw new CommandError(
        `${folder} has something in it that others may have made: name an empty or a new folder.`,
      );
    await assertOurs(folder);
  } catch (error) {
    // The next attempt must find it as it was.
    await chmod(folder, found.mode & 0o7777);
    throw error;
  }
}

/**
 * Prepares a folder for a backup: an empty one, or one of an unfinished backup. What an earlier run
 * copied stays. Returns whether there was one.
 * Errors: CommandError when the folder has a complete backup or anything else, or is not ours.
 */
export async function prepareFolder(folder: string): Promise<boolean> {
  const paths = toPaths(folder);
  await makeFolder(folder);
  await closeToOthers(folder);
  const names = await readdir(folder);
  const has = (path: string) => names.some((name) => join(folder, name) === path);
  if (has(paths.manifest))
    throw new CommandError(`${folder} has a complete backup already: name another folder.`);
  if (has(paths.unfinished)) return true;
  if (names.some((name) => name !== LOST_AND_FOUND && name !== 'unfinished.json.new'))
    throw new CommandError(`${folder} has other files in it: name an empty or a new folder.`);
  await writeWhole(paths.unfinished, '{}\n');
  return false;
}
