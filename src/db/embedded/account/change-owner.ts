import { constants, type Dirent } from 'node:fs';
import { lchown, lstat, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './server-account.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/** Gives a file, a link or whatever else is no folder. A name elsewhere would be given with it. */
async function changeEntry(account: Account, path: string): Promise<void> {
  if ((await lstat(path)).nlink > 1)
    throw new Error(`${path} has another name elsewhere, so it stays root's. Remove it.`);
  await lchown(path, account.uid, account.gid);
}

/**
 * Gives an open folder. Linux reaches its entries through the descriptor, so it makes no difference
 * what its name leads to by now.
 */
async function changeFolder(account: Account, folder: string): Promise<void> {
  const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    await handle.chown(0, 0);
    const inside = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : folder;
    for (const entry of (await readdir(inside, { withFileTypes: true })) as Dirent[]) {
      const path = join(inside, entry.name);
      await (entry.isDirectory() ? changeFolder(account, path) : changeEntry(account, path));
    }
    await handle.chown(account.uid, account.gid);
  } finally {
    await handle.close();
  }
}

/**
 * Gives a folder and its contents to the account, as root. The folder itself comes last, so its
 * owner shows that everything is done. Until then it is root's, so that a former owner cannot put
 * links in it. A link to the folder is followed if root made it, and no link within the folder is.
 * Errors: Error when the folder is a link of somebody else, or none.
 */
export async function changeOwner(account: Account, folder: string): Promise<void> {
  const { uid } = await lstat(folder);
  await changeFolder(account, uid === 0 ? await realpath(folder) : folder);
}
