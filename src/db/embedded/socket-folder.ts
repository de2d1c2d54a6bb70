import { createHash } from 'node:crypto';
import { chmod, lchown, lstat, mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Account } from './account/server-account.ts';
import { EmbeddedServerError, findSystemCode } from './embedded-errors.ts';

/**
 * A socket's path has at most 107 bytes on Linux and 103 on macOS. The longest name in the folder
 * has 19, slash included.
 */
const MAX_PATH_BYTES = 84;

/**
 * Chooses the folder for the sockets and creates it if necessary, readable by the account only. It
 * is `socket` beside the cluster. When that path is too long for a socket, it is a short one among
 * the temporary folders and `socket` is a symlink to it, so every process finds the same folder
 * whatever its TMPDIR. `home` is an absolute path without symlinks.
 * Errors: EmbeddedServerError when another user has a folder with the short folder's name.
 */
export async function chooseSocketFolder(home: string, account: Account): Promise<string> {
  const near = join(home, 'socket');
  if (Buffer.byteLength(near) <= MAX_PATH_BYTES) return await createOwnFolder(near, account);
  const name = `stoa-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;
  const wanted = join(Buffer.byteLength(tmpdir()) <= MAX_PATH_BYTES - 24 ? tmpdir() : '/tmp', name);
  for (;;) {
    const target = await readlink(near).catch(() => undefined);
    // A copied DATA_DIR contains the symlink of its original, whose target has another name.
    if (target !== undefined && basename(target) === name)
      return await createOwnFolder(target, account);
    if (target !== undefined) await rm(near, { force: true });
    else if ((await lstat(near).catch(() => undefined)) !== undefined)
      await rm(near, { recursive: true, force: true });
    await symlink(wanted, near).catch((error: unknown) => {
      if (findSystemCode(error) !== 'EEXIST') throw error;
    });
  }
}

async function createOwnFolder(folder: string, account: Account): Promise<string> {
  const made = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    (error: unknown) => {
      if (findSystemCode(error) !== 'EEXIST') throw error;
      return false;
    },
  );
  const found = await lstat(folder);
  // Everyone can write to the temporary folder, so a folder of another user may be a trap.
  const isTrusted =
    found.isDirectory() && (made || found.uid === account.uid || found.uid === process.getuid?.());
  if (!isTrusted)
    throw new EmbeddedServerError(
      `${folder} is needed for the database's socket, but belongs to another user: remove ` +
        'it, or give Stoa a DATA_DIR with a shorter path.',
    );
  if (account.switched && found.uid !== account.uid) await lchown(folder, account.uid, account.gid);
  if ((found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
  return folder;
}
