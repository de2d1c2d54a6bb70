import { mkdir, realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { sync } from '../../blobs/local-blobs.ts';
import type { Settings } from '../../config.ts';
import { changeOwner } from '../../db/embedded/account/change-owner.ts';
import { listBlockers } from '../../db/embedded/account/list-blockers.ts';
import { type Account, chooseAccount, isShared } from '../../db/embedded/account/server-account.ts';
import { findPackageFolder } from '../../kernel/package-file.ts';

/** Who serves instead of root, or why root does. */
export type ServingAccount =
  | { readonly account: Account }
  /** A sentence that says what to do. */
  | { readonly reason: string };

/** Makes the folder of files and gives it to the account, with all that root stored in it. */
async function giveFiles(dataDir: string, account: Account): Promise<void> {
  const folder = join(dataDir, 'files');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await stat(folder)).uid !== account.uid) await changeOwner(account, folder);
  await sync(dataDir);
}

/**
 * Chooses the account that answers requests when root starts the service, and gives it the folder
 * of files. Root itself then only starts and stops processes. It is the user `stoa`, which nothing
 * else runs as: with an account that others share, they could take over the service's processes.
 * Returns null when Stoa does not run as root. `databaseUser` is the account of the embedded
 * database; null without one.
 */
export async function chooseServingAccount(
  { DATA_DIR }: Settings,
  databaseUser: string | null,
): Promise<ServingAccount | null> {
  if (process.getuid?.() !== 0) return null;
  const account = await chooseAccount().catch(() => null);
  if (account === null || isShared(account))
    return { reason: 'Make a user "stoa" that nothing else runs as, or start Stoa as a user.' };
  if (databaseUser !== null && databaseUser !== account.name)
    return { reason: `The database belongs to "${databaseUser}": give it to "${account.name}".` };
  await mkdir(DATA_DIR, { recursive: true, mode: 0o711 });
  for (const folder of [resolve(findPackageFolder()), await realpath(DATA_DIR)]) {
    const [blocker] = await listBlockers(folder, account);
    if (blocker !== undefined)
      return { reason: `Let the user "${account.name}" enter ${blocker}: chmod o+x ${blocker}.` };
  }
  await giveFiles(await realpath(DATA_DIR), account);
  return { account };
}
