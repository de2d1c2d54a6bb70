import { access, constants, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createDiskSpace } from '../../blobs/disk-space.ts';
import type { Settings } from '../../config.ts';
import { readNote } from '../../db/embedded/location-note.ts';
import { buildFaultFinding, buildOkFinding, type Finding } from './finding.ts';

const OLDEST_NODE = [20, 19] as const;
/** Half of the disk space that the write-ahead log may take under load. */
const MIN_FREE_BYTES = 1024 ** 3;

/** Examines whether the version of Node.js is new enough. */
export function examineNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const old = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  return old
    ? buildFaultFinding(`This is Node.js ${version}.`, `Install ${OLDEST_NODE.join('.')} or newer.`)
    : buildOkFinding(`This is Node.js ${version}.`);
}

const pathExists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Examines whether DATA_DIR contains an installation and is writable. The doctor never creates an
 * installation.
 */
export async function examineDataFolder({ DATA_DIR }: Settings): Promise<Finding> {
  const folder = resolve(DATA_DIR);
  const made =
    (await pathExists(join(folder, 'postgres', 'data', 'PG_VERSION'))) ||
    (await readNote(folder)) !== undefined;
  if (!made)
    return buildFaultFinding(
      `There is no installation in the data folder ${folder}.`,
      'Start the service once, which makes one, or set DATA_DIR to the right folder.',
    );
  const writable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  return writable
    ? buildOkFinding(`The data folder is ${folder}.`)
    : buildFaultFinding(
        `The data folder ${folder} is not yours to write.`,
        'Run Stoa as the user who owns it.',
      );
}

const formatGigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GB`;

/**
 * Examines whether the disk of a folder has enough free space: more than the floor below which the
 * service takes no uploads and no registrations, and enough for the database.
 */
export async function examineDisk(
  folder: string,
  { DISK_FLOOR_BYTES }: Settings,
): Promise<Finding> {
  const bytes = await createDiskSpace(folder, DISK_FLOOR_BYTES).readFreeBytes();
  if (bytes === null)
    return buildOkFinding(`The system does not say how much of the disk of ${folder} is free.`);
  const free = `${formatGigabytes(bytes)} are free on the disk of ${folder}.`;
  if (bytes < DISK_FLOOR_BYTES)
    return buildFaultFinding(
      free,
      `Make room, at least ${formatGigabytes(DISK_FLOOR_BYTES)} (DISK_FLOOR_BYTES): until then ` +
        'Stoa takes no uploads and no registrations.',
    );
  return bytes < MIN_FREE_BYTES
    ? buildFaultFinding(free, 'Make room, at least 1 GB: with a full disk Stoa refuses to write.')
    : buildOkFinding(free);
}
