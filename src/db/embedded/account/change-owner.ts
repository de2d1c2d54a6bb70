import { constants, type Dirent } from 'node:fs';
import { lchown, lstat, open, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Account } from './server-account.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/**
 * Gives one entry that is not a folder. `path` reaches it, and `name` is what people call it. A
 * file with a second name may be somebody else's file elsewhere, which would change its owner too.
 */
async function changeEntry(account: Account, path: string, name: string): Promise<void> {
  if ((await lstat(path)).nlink > 1)
    throw new Error(
      `${name} has a second name (a hard link). Replace it by a copy: cp ${name} ${name}.copy && ` +
        `mv ${name}.copy ${name}`,
    );
  await lchown(path, account.uid, account.gid);
}

/**
 * Gives an open folder. Linux reaches its entries through the descriptor, so it makes no difference
 * what its name leads to by now.
 */
async function changeFolder(account: Account, folder: string, name: string): Promise<void> {
  const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    await handle.chown(0, 0);
    const inside = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : folder;
    for (const entry of (await readdir(inside, { withFileTypes: true })) as Dirent[]) {
      const path = join(inside, entry.name);
      const full = join(name, entry.name);
      if (entry.isDirectory()) await changeFolder(account, path, full);
      else await changeEntry(account, path, full);
    }
    await handle.chown(account.uid, account.gid);
  } finally {
    await handle.close();
  }
}

/** Follows a link if root made it in a folder of root's. Nobody else can have put it there. */
async function followOwnLink(folder: string): Promise<string> {
  const found = await lstat(folder);
  if (!found.isSymbolicLink()) return folder;
  if (found.uid === 0 && (await lstat(dirname(folder))).uid === 0) return realpath(folder);
  throw new Error(
    `${folder} is a link that root did not make in a folder of its own. Replace it by a folder, ` +
      'or make the link as root in a folder that belongs to root.',
  );
}

/**
 * Gives a folder and its contents to the account, as root. The folder itself comes last, so its
 * owner shows that everything is done. Until then it is root's, so that a former owner cannot put
 * links in it. Links inside are given and not followed.
 * Errors: Error when the folder is a link that somebody else made, or a file has a second name.
 */
export async function changeOwner(account: Account, folder: string): Promise<void> {
  await changeFolder(account, await followOwnLink(folder), folder);
}
