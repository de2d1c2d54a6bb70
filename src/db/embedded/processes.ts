import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { findSystemCode } from './embedded-errors.ts';

const run = promisify(execFile);
const IS_LINUX = process.platform === 'linux';

/**
 * Whether a process exists and is not a zombie. Where no process reaps children (node as pid 1 of a
 * container), `kill(pid, 0)` finds zombies forever.
 */
export async function isAlive(pid: number): Promise<boolean> {
  if (!processExists(pid)) return false;
  if (!IS_LINUX) return true;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const state = text.slice(text.lastIndexOf(')') + 2, text.lastIndexOf(')') + 3);
  return text === '' ? processExists(pid) : state !== 'Z' && state !== 'X';
}

/**
 * Whether the kernel knows the pid at all, zombies included. PostgreSQL makes the same check before
 * it trusts a lock file.
 */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return findSystemCode(error) === 'EPERM';
  }
}

/** Sends a signal. A process that has already ended is no error. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (findSystemCode(error) !== 'ESRCH') throw error;
  }
}

/**
 * Lists the pids of the PostgreSQL processes of a cluster: postmaster, backends, and backends whose
 * postmaster is dead. On Linux it finds them by their working folder, which all of them have and a
 * reused pid does not. Elsewhere it finds them by the postmaster's command line and its children.
 * That misses orphaned backends, which end by themselves.
 */
export async function listPostgres(data: string): Promise<number[]> {
  if (!IS_LINUX) return await listPostgresByPs(data);
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
      if (findSystemCode(error) === 'EACCES') closed.push(Number(name));
    }
  }
  return closed.length > 0 ? [...found, ...(await listPostgresAs(home, closed, data))] : found;
}

/**
 * Lists which of the pids work in a cluster's folder, by looking as their own user. A container's
 * root may not inspect processes of another user (without CAP_SYS_PTRACE, Docker's default), but
 * that user may. Processes that stay invisible do not count; PostgreSQL itself refuses to start
 * beside them.
 */
async function listPostgresAs(
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

async function listPostgresByPs(data: string): Promise<number[]> {
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
