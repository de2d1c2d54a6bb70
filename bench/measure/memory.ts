import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MIB = 1024 * 1024;
const readKibibytes = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);

/**
 * Reads the resident memory of a process in MiB: now, and its maximum since the start. Systems
 * other than Linux do not report the maximum, so it is the value of now.
 */
export function readResidentMemory(pid: number): { readonly now: number; readonly peak: number } {
  if (process.platform !== 'linux') {
    const now =
      (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024) /
      MIB;
    return { now, peak: now };
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    now: (readKibibytes(status, 'VmRSS') * 1024) / MIB,
    peak: (readKibibytes(status, 'VmHWM') * 1024) / MIB,
  };
}

/**
 * Reads the memory of all PostgreSQL processes in MiB, with shared memory counted once. It is null
 * where the system does not report it.
 */
export function readDatabaseMemory(dataFolder: string): number | null {
  try {
    const postmaster =
      readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';
    const readParentPid = (pid: string) => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    };
    const family = readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && (pid === postmaster || readParentPid(pid) === postmaster);
      } catch {
        return false;
      }
    });
    return (
      family.reduce(
        (sum, pid) =>
          sum + readKibibytes(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss') * 1024,
        0,
      ) / MIB
    );
  } catch {
    return null;
  }
}
