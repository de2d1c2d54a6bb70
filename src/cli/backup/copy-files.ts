import { rm, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { BlobMissing, type Blobs } from '../../blobs/blobs.ts';
import { CommandError } from '../describe-error.ts';
import {
  hashFile,
  makeFolder,
  toFilePath,
  toPaths,
  walkFiles,
  writeStream,
} from './backup-folder.ts';
import { passAt, type Work } from './pace.ts';
import { type ListedFile, readFileList } from './read-file-list.ts';

const hasSize = (path: string, size: number): Promise<boolean> =>
  stat(path).then(
    (found) => found.size === size,
    () => false,
  );

/** Removes what earlier runs copied of files that have been deleted since. */
async function removeOthers(folder: string): Promise<void> {
  const listed = readFileList(folder);
  let next = await listed.next();
  for await (const path of walkFiles(toPaths(folder).files)) {
    const name = basename(path);
    while (!next.done && next.value.sha256 < name) next = await listed.next();
    if (next.done || next.value.sha256 !== name) await rm(path);
  }
  await listed.return(undefined);
}

/**
 * Copies the listed files that the folder does not have yet. Returns the hashes of those whose
 * bytes the store has lost. Errors: BlobsUnavailable; CommandError when the store has other bytes.
 */
export async function copyFiles(
  blobs: Blobs,
  folder: string,
  { progress, pace, signal }: Work,
): Promise<string[]> {
  const lost: string[] = [];
  const copyOne = async ({ sha256, size }: ListedFile): Promise<void> => {
    const path = toFilePath(folder, sha256);
    if ((await hasSize(path, size)) && (await hashFile(path, size, pace)) === sha256) return;
    await makeFolder(dirname(path));
    const written = await writeStream(path, passAt(pace, blobs.read(sha256)), signal);
    if (written.sha256 === sha256) return;
    await rm(path);
    throw new CommandError(
      `The store of files has other bytes than it should under ${sha256}: bring them back from ` +
        'an older backup, then run this again.',
    );
  };
  for await (const file of readFileList(folder)) {
    signal.throwIfAborted();
    await copyOne(file).catch((error: unknown) => {
      if (!(error instanceof BlobMissing)) throw error;
      lost.push(file.sha256);
    });
    progress.add();
    await pace.rest();
  }
  await removeOthers(folder);
  return lost;
}
