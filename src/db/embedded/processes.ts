import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { codeOf } from './embedded-errors.ts';

const run = promisify(execFile);
const linux = process.platform === 'linux';

/** Whether a process exists and is more than a zombie: where nobody reaps (a container's node as pid 1) `kill(pid, 0)` finds zombies for ever. */
export async function isAlive(pid: number): Promise<boolean> {
  if (!exists(pid)) return false;
  if (!linux) return true;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const state = text.slice(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3);
  return text === '' ? exists(pid) : state !== 'Z' && state !== 'X';
}

/** Whether the kernel has the pid at all, which is what PostgreSQL asks before it believes a lock file. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Sends a signal; a process that is already gone is fine. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/**
 * The PostgreSQL processes that work in a cluster's folder: postmaster, backends, and backends whose postmaster is dead.
 * On Linux by their working folder, which every one of them has and which a reused pid does not.
 * Elsewhere by the postmaster's command line and its children: orphaned backends stay unseen, and end by themselves.
 */
export async function postgresIn(data: string): Promise<number[]> {
  if (!linux) return await postgresByPs(data);
  const home = await stat(data).catch(() => undefined);
  if (!home) return [];
  const found: number[] = [];
  const closed: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const command = (await readFile(`/proc/${name}/comm`, 'utf8').catch(() => '')).trim();
    if (command !== 'postgres' && command !== 'postmaster') continue;
    try {
      const at = await stat(`/proc/${name}/cwd`);
      if (at.ino === home.ino && at.dev === home.dev) found.push(Number(name));
    } catch (error) {
      if (codeOf(error) === 'EACCES') closed.push(Number(name));
    }
  }
  return closed.length > 0 ? [...found, ...(await askAs(home, closed, data))] : found;
}

/**
 * A container's root may not look into processes of another user (no CAP_SYS_PTRACE, as in Docker unless told), but their own user may.
 * Those that cannot be seen this way either do not count; PostgreSQL itself then refuses to start beside them.
 */
async function askAs(
  user: { uid: number; gid: number },
  pids: number[],
  data: string,
): Promise<number[]> {
  const script = 'for p; do echo "$p $(readlink /proc/$p/cwd)"; done';
  const { uid, gid } = user;
  const { stdout } = await run('/bin/sh', ['-c', script, 'sh', ...pids.map(String)], {
    uid,
    gid,
    cwd: '/',
  }).catch(() => ({ stdout: '' }));
  return pids.filter((pid) => stdout.split('\n').includes(`${pid} ${data}`));
}

async function postgresByPs(data: string): Promise<number[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,ppid=,command='], {
    maxBuffer: 16 << 20,
  }).catch(() => ({ stdout: '' }));
  const all = stdout.split('\n').flatMap((line) => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return command === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
  const mains = all
    .filter(({ command }) => command.includes('postgres') && command.includes(` -D ${data} `))
    .map(({ pid }) => pid);
  return [...mains, ...all.filter(({ parent }) => mains.includes(parent)).map(({ pid }) => pid)];
}
