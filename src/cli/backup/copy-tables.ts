import { countStored, SELECT_STORED } from '../../blobs/blob-claims.store.ts';
import { copyOut } from '../../db/copy/copy-out.ts';
import type { Session } from '../../db/copy/open-session.ts';
import { buildCopyOut, type Snapshot } from '../../db/copy/read-snapshot.ts';
import { makeFolder, type PackedFile, pack, toPaths, toTablePath } from './backup-folder.ts';
import type { Manifest } from './manifest.ts';
import { passAt, type Work } from './pace.ts';

/** Copies all rows of a snapshot into the folder, one table after the other. */
export async function copyTables(
  { client }: Session,
  { tables }: Snapshot,
  folder: string,
  { progress, pace, signal }: Work,
): Promise<Manifest['tables']> {
  await makeFolder(toPaths(folder).tables);
  progress.begin(
    'Rows (the total is an estimate)',
    tables.reduce((sum, { estimate }) => sum + estimate, 0),
  );
  const written: Manifest['tables'][number][] = [];
  for (const { name, columns } of tables) {
    let rows = 0;
    const bytes = copyOut(client, buildCopyOut({ name, columns }), () => {
      rows++;
      progress.add();
    });
    const file = await pack(toTablePath(folder, name), passAt(pace, bytes), () => rows, signal);
    written.push({ name, columns, ...file });
  }
  progress.end();
  return written;
}

/** Lists the files that the rows of the snapshot refer to, in a file of the folder. */
export async function copyFileList(
  { client, db }: Session,
  folder: string,
  { pace, signal }: Work,
): Promise<{ readonly list: PackedFile; readonly bytes: number }> {
  let rows = 0;
  const bytes = copyOut(client, `COPY (${SELECT_STORED}) TO STDOUT`, () => rows++);
  const list = await pack(toPaths(folder).fileList, passAt(pace, bytes), () => rows, signal);
  return { list, bytes: (await countStored(db)).bytes };
}
