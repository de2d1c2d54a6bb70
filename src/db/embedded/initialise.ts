import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lchown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, as } from './server-account.ts';
import type { Binaries } from './binaries/binaries.ts';
import { EmbeddedServerError, reasonOf } from './embedded-errors.ts';
import type { Home } from './database-home.ts';
import { postgresIn, signal } from './processes.ts';
import { environment } from './server-settings.ts';
import type { Log } from './embedded-types.ts';

const draftPrefix = 'data.init-';

/**
 * Makes the cluster if there is none: in a folder of its own, renamed when it is whole and on the disk, so that a kill leaves nothing
 * that a later start could take for a database. Removes what earlier kills left. The caller holds the owner lock.
 * @returns the cluster's folder, which belongs to the account
 * @throws EmbeddedServerError with initdb's last words
 */
export async function initialise(home: Home, binaries: Binaries, log: Log): Promise<string> {
  const data = join(home.folder, 'data');
  for (const name of await readdir(home.folder))
    if (name.startsWith(draftPrefix)) await discard(join(home.folder, name), log);
  const names: string[] = await readdir(data).catch(() => []);
  if (names.includes('PG_VERSION')) {
    if (home.account.switched && (await stat(data)).uid !== home.account.uid)
      await giveTo(home.account, data);
    return data;
  }
  if (names.length > 0) {
    throw new EmbeddedServerError(
      `${data} should be Stoa's database, but holds something else (${names.slice(0, 3).join(', ')}): move that away, or set DATA_DIR to another folder.`,
    );
  }
  log(`making a new database in ${data}`, { data });
  const draft = join(home.folder, `${draftPrefix}${randomBytes(4).toString('hex')}`);
  await mkdir(draft, { mode: 0o700 });
  if (home.account.switched) await lchown(draft, home.account.uid, home.account.gid);
  try {
    await initdb(binaries, draft, home.account);
    await rename(draft, data);
  } catch (error) {
    await discard(draft, log);
    throw error;
  }
  const folder = await open(home.folder);
  await folder.sync().finally(() => folder.close());
  return data;
}

/**
 * UTF-8, ordered by code point on every machine. The character classes come from the system, since full-text search
 * takes them from there: with plain C it reads "foo—bar" as one word (measured on 18.4). C is left for systems without C.UTF-8.
 */
async function initdb(binaries: Binaries, draft: string, account: Account): Promise<void> {
  const provider =
    binaries.major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : [];
  const common = [
    '-D',
    draft,
    '--username=stoa',
    '--encoding=UTF8',
    '--locale=C',
    ...provider,
    '--data-checksums',
    '--auth-local=trust',
    '--auth-host=reject',
    '--no-instructions',
  ];
  let words = '';
  for (const type of ['C.UTF-8', 'C']) {
    const { ok, text } = await runInitdb(
      join(binaries.folder, 'initdb'),
      [...common, `--lc-ctype=${type}`],
      account,
    );
    if (ok) return;
    words = text;
    if (!text.includes('locale')) break;
  }
  const last = words.trim().split('\n').slice(-3).join(' ');
  const hint = words.includes('could not look up effective user ID')
    ? ' Give this user id an entry in /etc/passwd, or set DATABASE_URL.'
    : '';
  throw new EmbeddedServerError(`Making the database in ${draft} failed: ${last}.${hint}`);
}

function runInitdb(
  program: string,
  options: string[],
  account: Account,
): Promise<{ ok: boolean; text: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, options, {
      ...as(account),
      cwd: '/',
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let text = '';
    const add = (part: Buffer): void => {
      text += part.toString();
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.once('error', (error) => resolve({ ok: false, text: reasonOf(error) }));
    child.once('close', (code) => resolve({ ok: code === 0, text }));
  });
}

/** An initdb whose Stoa was killed may still be writing. */
async function discard(folder: string, log: Log): Promise<void> {
  try {
    for (const pid of await postgresIn(folder)) signal(pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch (error) {
    log(`a half-made database in ${folder} could not be removed: ${reasonOf(error)}`, { folder });
  }
}

/** A restored copy belongs to root; the database refuses to run on files that are not its user's. The folder itself goes last: it is the mark that all is done. */
async function giveTo(account: Account, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await giveTo(account, path);
    else await lchown(path, account.uid, account.gid);
  }
  await lchown(folder, account.uid, account.gid);
}
