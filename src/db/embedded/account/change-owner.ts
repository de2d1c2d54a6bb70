import { lchown, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './server-account.ts';

/**
 * Gives a folder and its contents to the account, as root. The folder itself comes last, so its
 * owner shows that everything is done. Until then it is root's, so that a former owner cannot put
 * links in it.
 */
export async function changeOwner(account: Account, folder: string): Promise<void> {
  await lchown(folder, 0, 0);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await changeOwner(account, path);
    else await lchown(path, account.uid, account.gid);
  }
  await lchown(folder, account.uid, account.gid);
}
