import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Account, chooseAccount } from './server-account.ts';
import { codeOf, EmbeddedServerError, reasonOf } from './embedded-errors.ts';
import { readNote, writeNote } from './location-note.ts';
import { blockersOf } from './list-blockers.ts';
import type { Log } from './embedded-types.ts';

/** The folder that holds everything of the database: `data`, `log`, `socket`, `binaries`. */
export interface Home {
  readonly folder: string;
  readonly account: Account;
  readonly relocated: boolean;
}

/**
 * Where the database of a DATA_DIR lives, and as whom it runs. Usually DATA_DIR/postgres; as root, when the unprivileged user cannot enter
 * that, a folder under `elsewhere`, with a note in DATA_DIR. Makes the folder. Repeatable, and safe when two processes do it at once.
 * @throws EmbeddedServerError when the folder cannot be made, or exists where its user cannot enter it
 */
export async function findHome(dataDir: string, elsewhere: string, log: Log): Promise<Home> {
  const root = await makeDataDir(resolve(dataDir));
  const near = join(root, 'postgres');
  const noted = await readNote(root);
  const folder = noted ?? near;
  const cluster = await stat(join(folder, 'data')).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new EmbeddedServerError(
      `Stoa cannot look into ${folder}, where its database is (${reasonOf(error)}): start it as the user who started it first.`,
    );
  });
  const account = await chooseAccount(cluster);
  if (!account.switched) {
    if (cluster && cluster.uid !== account.uid) {
      throw new EmbeddedServerError(
        `The database in ${folder} belongs to the user with the id ${cluster.uid}, and this is "${account.name}": start Stoa as that user or as root, or give it another DATA_DIR.`,
      );
    }
    if (!noted) await makeFolder(near, 0o700);
    return { folder, account, relocated: noted !== undefined };
  }
  if (!noted && !cluster) await letThrough(root, account, log);
  const [blocker] = await blockersOf(folder, account);
  if (blocker === undefined) {
    if (!noted) await makeFolder(near, 0o711);
    return { folder, account, relocated: noted !== undefined };
  }
  if (noted || cluster) {
    throw new EmbeddedServerError(
      `The database in ${folder} runs as user "${account.name}", who cannot enter ${blocker}: allow that (chmod o+x ${blocker}), or move ${root} to a place where "${account.name}" can.`,
    );
  }
  const away = join(elsewhere, await nameOf(root));
  await makeFolder(elsewhere, 0o755);
  await makeFolder(away, 0o711);
  const [still] = await blockersOf(away, account);
  if (still !== undefined)
    throw new EmbeddedServerError(
      `The database runs as user "${account.name}", who can enter neither ${blocker} nor ${still}: set DATA_DIR to a folder that this user can reach.`,
    );
  await writeNote(root, away, account.name, blocker);
  log(`user "${account.name}" cannot enter ${blocker}: the database is kept in ${away}`, {
    dataDir: root,
    database: away,
  });
  return { folder: away, account, relocated: true };
}

async function makeDataDir(folder: string): Promise<string> {
  try {
    const made = await mkdir(folder, { recursive: true });
    // Ours since now: let the database's user pass, whatever the umask.
    if (made !== undefined && process.getuid?.() === 0) await chmod(folder, 0o711);
    return await realpath(folder);
  } catch (error) {
    throw new EmbeddedServerError(
      `Stoa cannot make or enter its DATA_DIR ${folder} (${reasonOf(error)}): set DATA_DIR to a folder that it may write.`,
      {
        cause: error,
      },
    );
  }
}

async function makeFolder(folder: string, mode: number): Promise<void> {
  try {
    if ((await mkdir(folder, { recursive: true, mode })) !== undefined) await chmod(folder, mode);
  } catch (error) {
    throw new EmbeddedServerError(
      `Stoa cannot make the folder ${folder} for its database (${reasonOf(error)}): set DATA_DIR to a folder that it may write.`,
      {
        cause: error,
      },
    );
  }
}

/** A DATA_DIR that root made for itself alone (0700): its group, which has no rights yet, becomes the database user's, which may then pass and no more. */
async function letThrough(root: string, account: Account, log: Log): Promise<void> {
  const blockers = await blockersOf(root, account);
  const { uid, mode } = await stat(root);
  if (blockers.length !== 1 || blockers[0] !== root || uid !== 0 || (mode & 0o070) !== 0) return;
  try {
    await chown(root, 0, account.gid);
    await chmod(root, (mode & 0o7777) | 0o010);
    log(`user "${account.name}" may now pass through ${root} to the database in it`, {
      dataDir: root,
    });
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}

/** The same for the same folder, another one for a new folder of the same name: who deletes DATA_DIR gets an empty database. */
async function nameOf(root: string): Promise<string> {
  const { ino, birthtimeMs } = await stat(root);
  const hash = createHash('sha256')
    .update(`${root}\0${ino}\0${birthtimeMs}`)
    .digest('hex')
    .slice(0, 12);
  return `${
    basename(root)
      .replaceAll(/[^\w.-]/g, '_')
      .slice(0, 20) || 'data'
  }-${hash}`;
}
