import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, openSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/** A program of the cluster, which runs until it is ended. */
export interface Program extends AsyncDisposable {
  readonly pid: number;
  /** Starts it again after it was killed. */
  restart(): Promise<void>;
}

/** Neither PostgreSQL nor Patroni runs as root. Debian's packages make this user for them. */
const DATABASE_USER = 'postgres';

/** Returns whom the programs run as; null for the account of this process, unless that is root. */
function findAccount(): { readonly uid: number; readonly gid: number } | null {
  if (userInfo().uid !== 0) return null;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${DATABASE_USER}:`));
  if (!line) throw new Error(`There is no user ${DATABASE_USER}: install PostgreSQL.`);
  const [, , uid, gid] = line.split(':').map(Number);
  return { uid: uid ?? 0, gid: gid ?? 0 };
}

/** Gives a path to the user whom the programs run as. */
export function giveAway(path: string): void {
  const account = findAccount();
  if (account) chownSync(path, account.uid, account.gid);
}

/** Programs end with this process, however that ends. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a program, whose output goes to a file. */
export async function startProgram(
  command: string,
  words: readonly string[],
  { log, folder }: { readonly log: string; readonly folder: string },
): Promise<Program> {
  const start = async (): Promise<ChildProcess> => {
    const output = openSync(log, 'a');
    const child = spawn(command, words, {
      cwd: folder,
      env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder, LANG: 'C.UTF-8' },
      stdio: ['ignore', output, output],
      ...findAccount(),
    });
    closeSync(output);
    await once(child, 'spawn');
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  };
  let child = await start();
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  };
  return {
    get pid() {
      return child.pid ?? 0;
    },
    async restart() {
      await end('SIGKILL');
      child = await start();
    },
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}
