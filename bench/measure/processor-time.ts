import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds of processor time: of a program's own code, and of the kernel for it. */
export interface ProcessorTime {
  readonly own: number;
  readonly kernel: number;
}

/** Linux counts in hundredths of a second (proc(5), fields 14 and 15 of `stat`). */
const TICK_MS = 10;

const readFields = (pid: string | number): string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** Reads the processor time of a process since its start. */
export function readProcessorTime(pid: string | number): ProcessorTime {
  const fields = readFields(pid);
  return { own: Number(fields[11]) * TICK_MS, kernel: Number(fields[12]) * TICK_MS };
}

const readPostmaster = (dataFolder: string): string =>
  readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8').split('\n')[0] ?? '';

/** Adds the processor time of the processes that a process started and that run. */
function addChildren(start: ProcessorTime, parent: string, besides = ''): ProcessorTime {
  let { own, kernel } = start;
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid) || pid === besides) continue;
    try {
      if (readFields(pid)[1] !== parent) continue;
      const time = readProcessorTime(pid);
      own += time.own;
      kernel += time.kernel;
    } catch {
      // It has ended meanwhile.
    }
  }
  return { own, kernel };
}

/** Reads the processor time of a service: of its process and its workers, not of its database. */
export const readServiceTime = (pid: number, dataFolder: string): ProcessorTime =>
  addChildren(readProcessorTime(pid), String(pid), readPostmaster(dataFolder));

/** Reads the processor time of a PostgreSQL: of its processes, and of those that have ended. */
export function readDatabaseTime(dataFolder: string): ProcessorTime {
  const postmaster = readPostmaster(dataFolder);
  const time = readProcessorTime(postmaster);
  // Fields 16 and 17: what the postmaster's children had used when they ended.
  const ended = readFields(postmaster);
  return addChildren(
    {
      own: time.own + Number(ended[13]) * TICK_MS,
      kernel: time.kernel + Number(ended[14]) * TICK_MS,
    },
    postmaster,
  );
}
