import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MIB = 1024 * 1024;
const kibibytes = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);

/** Memory, in MiB, that a process has resident: now, and at most since it began (where the system does not tell: now). */
export function residentOf(pid: number): { readonly now: number; readonly peak: number } {
  if (process.platform !== 'linux') {
    const now =
      (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024) /
      MIB;
    return { now, peak: now };
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    now: (kibibytes(status, 'VmRSS') * 1024) / MIB,
    peak: (kibibytes(status, 'VmHWM') * 1024) / MIB,
  };
}

/** Memory, in MiB, of PostgreSQL's processes together now, what they share counted once; null where the system does not tell. */
export function databaseMemory(dataFolder: string): number | null {
  try {
    const postmaster =
      readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';
    const parentOf = (pid: string) => {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    };
    const family = readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && (pid === postmaster || parentOf(pid) === postmaster);
      } catch {
        return false;
      }
    });
    return (
      family.reduce(
        (sum, pid) =>
          sum + kibibytes(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss') * 1024,
        0,
      ) / MIB
    );
  } catch {
    return null;
  }
}
