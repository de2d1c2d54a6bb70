import { createHash } from 'node:crypto';
import { chmod, lchown, lstat, mkdir, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Account } from './server-account.ts';
import { codeOf, EmbeddedServerError } from './embedded-errors.ts';

/** A socket's path holds 107 bytes on Linux and 103 on macOS; the longest name that we put into the folder has 19 with the slash. */
const longest = 84;

/**
 * The folder for the sockets: `socket` beside the cluster, or, when that path is too long for a socket, a short one among
 * the temporary folders, to which `socket` is a symlink then: so that every process finds the same one, whatever its TMPDIR.
 * Made if need be, only for the account's eyes.
 * @param home absolute, without symlinks
 * @throws EmbeddedServerError when someone else has the short folder's name
 */
export async function socketFolder(home: string, account: Account): Promise<string> {
  const near = join(home, 'socket');
  if (Buffer.byteLength(near) <= longest) return await makeOwn(near, account);
  const name = `stoa-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`;
  const wanted = join(Buffer.byteLength(tmpdir()) <= longest - 24 ? tmpdir() : '/tmp', name);
  for (;;) {
    const target = await readlink(near).catch(() => undefined);
    // A copied DATA_DIR brings the link of its original, which has another name.
    if (target !== undefined && basename(target) === name) return await makeOwn(target, account);
    if (target !== undefined) await rm(near, { force: true });
    else if ((await lstat(near).catch(() => undefined)) !== undefined)
      await rm(near, { recursive: true, force: true });
    await symlink(wanted, near).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  }
}

async function makeOwn(folder: string, account: Account): Promise<string> {
  const made = await mkdir(folder, { mode: 0o700 }).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
      return false;
    },
  );
  const found = await lstat(folder);
  // The temporary folder is everybody's: a folder that is neither the account's nor root's own may be a trap.
  const trusted =
    found.isDirectory() && (made || found.uid === account.uid || found.uid === process.getuid?.());
  if (!trusted)
    throw new EmbeddedServerError(
      `${folder} is needed for the database's socket, but belongs to another user: remove it, or give Stoa a DATA_DIR with a shorter path.`,
    );
  if (account.switched && found.uid !== account.uid) await lchown(folder, account.uid, account.gid);
  if ((found.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
  return folder;
}
