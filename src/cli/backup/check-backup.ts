import { CommandError } from '../describe-error.ts';
import { hashFile, toFilePath, toPaths, toTablePath } from './backup-folder.ts';
import type { Manifest } from './manifest.ts';
import type { Work } from './pace.ts';
import { readFileList } from './read-file-list.ts';

/** What a backup must have in its folder. */
type Contents = Pick<Manifest, 'tables' | 'fileList' | 'lostFiles'>;

/**
 * Reads everything in a backup from the disk and compares it with its hash. Errors: CommandError
 * that names what is missing or damaged.
 */
export async function checkBackup(
  folder: string,
  { tables, fileList, lostFiles }: Contents,
  { progress, pace, signal }: Work,
): Promise<void> {
  const assertWhole = async (path: string, bytes: number, sha256: string): Promise<void> => {
    signal.throwIfAborted();
    const found = await hashFile(path, bytes, pace);
    if (found !== sha256)
      throw new CommandError(
        `The backup in ${folder} is damaged: ${path} ` +
          `${found === null ? 'is missing, or no regular file' : 'was changed'}. ` +
          'Use another copy of it, or another backup.',
      );
    progress.add();
  };
  progress.begin('Files checked', tables.length + 1 + fileList.rows - lostFiles.length);
  for (const { name, bytes, sha256 } of tables)
    await assertWhole(toTablePath(folder, name), bytes, sha256);
  await assertWhole(toPaths(folder).fileList, fileList.bytes, fileList.sha256);
  const lost = new Set(lostFiles);
  for await (const { sha256, size } of readFileList(folder))
    if (!lost.has(sha256)) await assertWhole(toFilePath(folder, sha256), size, sha256);
  progress.end();
}
