import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { countStored, SELECT_STORED } from '../../blobs/blob-claims.store.ts';
import { copyOut } from '../../db/copy/copy-out.ts';
import type { Session } from '../../db/copy/open-session.ts';
import { buildCopyOut, type Snapshot } from '../../db/copy/read-snapshot.ts';
import type { StoredTable } from '../../db/copy/stored-tables.store.ts';
import {
  FILE_MODE,
  makeFolder,
  type PackedFile,
  pack,
  toPaths,
  toRawTablePath,
  toTablePath,
} from './backup-folder.ts';
import type { Manifest } from './manifest.ts';
import { passAt, type Work } from './pace.ts';

const READ_BYTES = 256 * 1024;

/** A table whose rows were copied as they are. */
interface CopiedTable extends StoredTable {
  readonly rows: number;
}

/**
 * Copies all rows of a snapshot into the folder, one table after the other, as fast as it can and
 * without compressing: PostgreSQL keeps every version of a row that changes while a snapshot is
 * open, and posts are slower the longer that is.
 */
export async function copyTables(
  { client }: Session,
  { tables }: Snapshot,
  folder: string,
  { progress, signal }: Pick<Work, 'progress' | 'signal'>,
): Promise<readonly CopiedTable[]> {
  const path = toPaths(folder).tables;
  // An earlier run may have left a part of another moment.
  await rm(path, { recursive: true, force: true });
  await makeFolder(path);
  progress.begin(
    'Rows copied (the total is an estimate)',
    tables.reduce((sum, { estimate }) => sum + estimate, 0),
  );
  const copied: CopiedTable[] = [];
  for (const { name, columns } of tables) {
    let rows = 0;
    const bytes = copyOut(client, buildCopyOut({ name, columns }), () => {
      rows++;
      progress.add();
    });
    const file = createWriteStream(toRawTablePath(folder, name), { mode: FILE_MODE });
    await pipeline(bytes, file, { signal });
    copied.push({ name, columns, rows });
  }
  progress.end();
  return copied;
}

/** Compresses the copied tables at a pace, and removes what was not compressed. */
export async function packTables(
  tables: readonly CopiedTable[],
  folder: string,
  { progress, pace, signal }: Work,
): Promise<Manifest['tables']> {
  progress.begin('Tables compressed', tables.length);
  const packed: Manifest['tables'][number][] = [];
  for (const { name, columns, rows } of tables) {
    const raw = toRawTablePath(folder, name);
    const bytes = passAt(pace, createReadStream(raw, { highWaterMark: READ_BYTES }));
    const file = await pack(toTablePath(folder, name), bytes, () => rows, signal);
    packed.push({ name, columns, ...file });
    await rm(raw);
    progress.add();
  }
  progress.end();
  return packed;
}

/** Lists the files that the rows of the snapshot refer to, in a file of the folder. */
export async function copyFileList(
  { client, db }: Session,
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly list: PackedFile; readonly bytes: number }> {
  let rows = 0;
  const bytes = copyOut(client, `COPY (${SELECT_STORED}) TO STDOUT`, () => rows++);
  const list = await pack(toPaths(folder).fileList, bytes, () => rows, signal);
  return { list, bytes: (await countStored(db)).bytes };
}
