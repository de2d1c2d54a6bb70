import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { listBlockers } from './account/list-blockers.ts';
import { type Account, chooseAccount } from './account/server-account.ts';
import { describeReason, EmbeddedServerError, findSystemCode } from './embedded-errors.ts';
import type { LogMessage } from './embedded-types.ts';
import { readNote, writeNote } from './location-note.ts';

/** The folder with everything of the database: `data`, `log`, `socket` and `binaries`. */
export interface Home {
  readonly folder: string;
  readonly account: Account;
  /** Whether the folder is outside DATA_DIR. */
  readonly relocated: boolean;
}

/**
 * Finds or creates the folder of a DATA_DIR's database and chooses the user that it runs as. The
 * folder is usually DATA_DIR/postgres. When Stoa runs as root and the unprivileged user cannot
 * enter that, it is a folder under `elsewhere`, and a note in DATA_DIR names it. The function is
 * idempotent and safe when two processes call it at once.
 * Errors: EmbeddedServerError when the folder cannot be created, or exists and its user cannot
 * enter it.
 */
export async function prepareHome(
  dataDir: string,
  elsewhere: string,
  log: LogMessage,
): Promise<Home> {
  const root = await createDataDir(resolve(dataDir));
  const near = join(root, 'postgres');
  const noted = await readNote(root);
  const folder = noted ?? near;
  const cluster = await stat(join(folder, 'data')).catch((error: unknown) => {
    if (findSystemCode(error) === 'ENOENT') return undefined;
    throw new EmbeddedServerError(
      `Stoa cannot read ${folder}, where its database is (${describeReason(error)}): start it ` +
        'as the user who started it first.',
    );
  });
  const account = await chooseAccount(cluster);
  if (!account.switched) {
    if (cluster && cluster.uid !== account.uid) {
      throw new EmbeddedServerError(
        `The database in ${folder} belongs to the user with the id ${cluster.uid}, and Stoa ` +
          `runs as "${account.name}": start it as that user or as root, or set DATA_DIR to ` +
          'another folder.',
      );
    }
    if (!noted) await createFolder(near, 0o700);
    return { folder, account, relocated: noted !== undefined };
  }
  if (!noted && !cluster) await grantPassage(root, account, log);
  const [blocker] = await listBlockers(folder, account);
  if (blocker === undefined) {
    if (!noted) await createFolder(near, 0o711);
    return { folder, account, relocated: noted !== undefined };
  }
  if (noted || cluster) {
    throw new EmbeddedServerError(
      `The database in ${folder} runs as user "${account.name}", who cannot enter ` +
        `${blocker}: allow that (chmod o+x ${blocker}), or move ${root} to a place where ` +
        `"${account.name}" can.`,
    );
  }
  const away = join(elsewhere, await toFolderName(root));
  await createFolder(elsewhere, 0o755);
  await createFolder(away, 0o711);
  const [still] = await listBlockers(away, account);
  if (still !== undefined)
    throw new EmbeddedServerError(
      `The database runs as user "${account.name}", who can enter neither ${blocker} nor ` +
        `${still}: set DATA_DIR to a folder that this user can reach.`,
    );
  await writeNote(root, away, account.name, blocker);
  log(`user "${account.name}" cannot enter ${blocker}: the database is stored in ${away}`, {
    dataDir: root,
    database: away,
  });
  return { folder: away, account, relocated: true };
}

/**
 * Makes a folder and those above it that are missing. Returns the path if it was missing.
 * `mkdir` with `recursive` never ends where a file system refuses to make anything, such as /proc.
 */
async function makeFolders(path: string, mode?: number): Promise<string | undefined> {
  try {
    await mkdir(path, mode);
    return path;
  } catch (error) {
    const code = findSystemCode(error);
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return undefined;
    if (code !== 'ENOENT' || (await makeFolders(dirname(path), mode)) === undefined) throw error;
    await mkdir(path, mode);
    return path;
  }
}

async function createDataDir(folder: string): Promise<string> {
  try {
    const made = await makeFolders(resolve(folder));
    // Stoa has just created the folder. The database's user must pass it, whatever the umask.
    if (made !== undefined && process.getuid?.() === 0) await chmod(folder, 0o711);
    return await realpath(folder);
  } catch (error) {
    throw new EmbeddedServerError(
      `Stoa cannot create or enter its DATA_DIR ${folder} (${describeReason(error)}): set ` +
        'DATA_DIR to a folder that Stoa can write to.',
      { cause: error },
    );
  }
}

async function createFolder(folder: string, mode: number): Promise<void> {
  try {
    if ((await makeFolders(folder, mode)) !== undefined) await chmod(folder, mode);
  } catch (error) {
    throw new EmbeddedServerError(
      `Stoa cannot create the folder ${folder} for its database (${describeReason(error)}): ` +
        'set DATA_DIR to a folder that Stoa can write to.',
      { cause: error },
    );
  }
}

/**
 * Lets the database's user pass through a DATA_DIR that only root may enter (0700). The folder's
 * group, which has no rights yet, becomes the user's group, and the group may pass but not read.
 */
async function grantPassage(root: string, account: Account, log: LogMessage): Promise<void> {
  const blockers = await listBlockers(root, account);
  const { uid, mode } = await stat(root);
  if (blockers.length !== 1 || blockers[0] !== root || uid !== 0 || (mode & 0o070) !== 0) return;
  try {
    await chown(root, 0, account.gid);
    await chmod(root, (mode & 0o7777) | 0o010);
    log(`user "${account.name}" may now pass through ${root} to the database in it`, {
      dataDir: root,
    });
  } catch (error) {
    if (findSystemCode(error) === undefined) throw error;
  }
}

/**
 * Returns a name that is stable for one folder and differs for a new folder of the same name. After
 * DATA_DIR was deleted, Stoa must therefore begin with an empty database.
 */
async function toFolderName(root: string): Promise<string> {
  const { ino, birthtimeMs } = await stat(root);
  const hash = createHash('sha256')
    .update(`${root}\0${ino}\0${birthtimeMs}`)
    .digest('hex')
    .slice(0, 12);
  const name = basename(root)
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, 20);
  return `${name || 'data'}-${hash}`;
}
