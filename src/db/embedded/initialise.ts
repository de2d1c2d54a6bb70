import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lchown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { changeOwner } from './account/change-owner.ts';
import { type Account, toProcessOptions } from './account/server-account.ts';
import type { Binaries } from './binaries/binaries.ts';
import type { Home } from './database-home.ts';
import { describeReason, EmbeddedServerError } from './embedded-errors.ts';
import type { LogMessage } from './embedded-types.ts';
import { listPostgres, sendSignal } from './processes.ts';
import { processEnvironment } from './server-settings.ts';

const DRAFT_PREFIX = 'data.init-';

/**
 * Creates the cluster if there is none, and returns its folder, which belongs to the account. The
 * cluster is created in a draft folder, which is renamed once it is complete and on the disk. A
 * kill thus leaves nothing that a later start could mistake for a database. Drafts of earlier kills
 * are removed. The caller has the owner lock.
 * Errors: EmbeddedServerError with the last lines of initdb's output.
 */
export async function initialise(home: Home, binaries: Binaries, log: LogMessage): Promise<string> {
  const data = join(home.folder, 'data');
  for (const name of await readdir(home.folder))
    if (name.startsWith(DRAFT_PREFIX)) await discard(join(home.folder, name), log);
  const names: string[] = await readdir(data).catch(() => []);
  if (names.includes('PG_VERSION')) {
    // A restored copy belongs to root, and PostgreSQL refuses to run on files of another user.
    if (home.account.switched && (await stat(data)).uid !== home.account.uid)
      await changeOwner(home.account, data);
    return data;
  }
  if (names.length > 0) {
    throw new EmbeddedServerError(
      `${data} should be Stoa's database, but contains other files ` +
        `(${names.slice(0, 3).join(', ')}): move them away, or set DATA_DIR to another folder.`,
    );
  }
  log('creating a new database', { data });
  const draft = join(home.folder, `${DRAFT_PREFIX}${randomBytes(4).toString('hex')}`);
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
 * Runs initdb for a cluster in UTF-8 that orders text by code point on every machine. Full-text
 * search takes its character classes from the system's locale: with plain C it reads "foo—bar" as
 * one word (measured on 18.4). C remains for systems without C.UTF-8.
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
  let output = '';
  for (const type of ['C.UTF-8', 'C']) {
    const { ok, text } = await runInitdb(
      join(binaries.folder, 'initdb'),
      [...common, `--lc-ctype=${type}`],
      account,
    );
    if (ok) return;
    output = text;
    if (!text.includes('locale')) break;
  }
  const last = output.trim().split('\n').slice(-3).join(' ');
  const hint = output.includes('could not look up effective user ID')
    ? ' Give this user id an entry in /etc/passwd, or set DATABASE_URL.'
    : '';
  throw new EmbeddedServerError(`Creating the database in ${draft} failed: ${last}.${hint}`);
}

function runInitdb(
  program: string,
  options: string[],
  account: Account,
): Promise<{ ok: boolean; text: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, options, {
      ...toProcessOptions(account),
      cwd: '/',
      env: processEnvironment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let text = '';
    const addOutput = (part: Buffer): void => {
      text += part.toString();
    };
    child.stdout.on('data', addOutput);
    child.stderr.on('data', addOutput);
    child.once('error', (error) => resolve({ ok: false, text: describeReason(error) }));
    child.once('close', (code) => resolve({ ok: code === 0, text }));
  });
}

/** Removes a draft. It kills its initdb first, which may still run after Stoa was killed. */
async function discard(folder: string, log: LogMessage): Promise<void> {
  try {
    for (const pid of await listPostgres(folder)) sendSignal(pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch (error) {
    log(`an incomplete database in ${folder} could not be removed: ${describeReason(error)}`, {
      folder,
    });
  }
}
