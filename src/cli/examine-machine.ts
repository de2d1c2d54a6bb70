import { access, constants, stat, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Settings } from '../config.ts';
import { readNote } from '../db/embedded/location-note.ts';
import { type Finding, right, wrong } from './finding.ts';

const OLDEST_NODE = [20, 19] as const;
/** Half of what the write-ahead log may take under load. */
const MIN_FREE_BYTES = 1024 ** 3;

export function examineNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const old = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  return old
    ? wrong(`This is Node.js ${version}.`, `Install ${OLDEST_NODE.join('.')} or newer.`)
    : right(`This is Node.js ${version}.`);
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Whether there is an installation in DATA_DIR at all: the doctor makes none. */
export async function examineDataFolder({ DATA_DIR }: Settings): Promise<Finding> {
  const folder = resolve(DATA_DIR);
  const made =
    (await exists(join(folder, 'postgres', 'data', 'PG_VERSION'))) ||
    (await readNote(folder)) !== undefined;
  if (!made)
    return wrong(
      `There is no installation in the data folder ${folder}.`,
      'Start the service once, which makes one, or set DATA_DIR to the right folder.',
    );
  const writable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  return writable
    ? right(`The data folder is ${folder}.`)
    : wrong(
        `The data folder ${folder} is not yours to write.`,
        'Run Stoa as the user who owns it.',
      );
}

const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GB`;

export async function examineDisk(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = `${gigabytes(bavail * bsize)} are free on the disk of ${folder}.`;
  return bavail * bsize < MIN_FREE_BYTES
    ? wrong(free, 'Make room, at least 1 GB: with a full disk Stoa refuses to write.')
    : right(free);
}
