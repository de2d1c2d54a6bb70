import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The file that a postmaster writes into its cluster's folder, and leaves there when it is killed.
 */
export interface PidFile {
  /** NaN when the file is empty or truncated, as after a full disk. */
  readonly pid: number;
  readonly port: number;
  /** The folder of the socket. */
  readonly socket: string;
}

/** Returns the path of a cluster's postmaster.pid. */
export const toPidFilePath = (data: string): string => join(data, 'postmaster.pid');

/** Reads the cluster's postmaster.pid; undefined when there is none. */
export async function readPidFile(data: string): Promise<PidFile | undefined> {
  const text = await readFile(toPidFilePath(data), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  // Its lines are pid, data folder, start time, port, socket folder, TCP address, shared memory and
  // state.
  const lines = text.split('\n');
  const pid = Number(lines[0]?.trim() || Number.NaN);
  // A stand-alone backend (initdb, repair work) writes its pid as a negative number.
  return { pid: Math.abs(pid), port: Number(lines[3]), socket: lines[4] ?? '' };
}
