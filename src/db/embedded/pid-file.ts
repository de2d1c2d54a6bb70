import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a postmaster writes into its cluster's folder while it runs, and leaves there when it is killed. */
export interface PidFile {
  /** NaN when the file is empty or cut off, as a full disk leaves it. */
  readonly pid: number;
  readonly port: number;
  readonly socket: string;
}

export const pidFilePath = (data: string): string => join(data, 'postmaster.pid');

/** The cluster's postmaster.pid, or undefined when there is none. */
export async function readPidFile(data: string): Promise<PidFile | undefined> {
  const text = await readFile(pidFilePath(data), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // pid, data folder, start time, port, socket folder, TCP address, shared memory, state
  const lines = text.split('\n');
  const pid = Number(lines[0]?.trim() || Number.NaN);
  // A stand-alone backend (initdb, repair work) writes its pid negated.
  return { pid: Math.abs(pid), port: Number(lines[3]), socket: lines[4] ?? '' };
}
