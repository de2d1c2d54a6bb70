import { openBlobs } from '../../app/open-resources.ts';
import { listNewest } from '../../blobs/blob-claims.store.ts';
import { BlobsUnavailable } from '../../blobs/blobs.ts';
import type { Settings } from '../../config.ts';
import type { Connection } from '../../db/connection.ts';
import { openDatabase } from '../../db/database.ts';
import { findMigration, latestMigration } from '../../db/migrate.ts';
import { buildFaultFinding, buildOkFinding, type Finding } from './finding.ts';

const CHECKED_FILES = 500;

/** Examines whether the file store can be reached and has the bytes of these files. */
async function examineBytes(hashes: readonly string[], settings: Settings): Promise<Finding> {
  const blobs = openBlobs(settings);
  const missing: string[] = [];
  try {
    for (const hash of hashes) if (!(await blobs.has(hash))) missing.push(hash);
  } catch (error) {
    if (!(error instanceof BlobsUnavailable)) throw error;
    const { message } = error.cause as Error;
    return buildFaultFinding(
      `The store of files does not answer (${message}).`,
      'Check FILE_STORE and what belongs to it, and that the store runs.',
    );
  }
  if (missing.length === 0) return buildOkFinding('The newest files have their bytes.');
  return buildFaultFinding(
    `${missing.length} of the newest files have no bytes, ${missing[0]} among them.`,
    'Check that FILE_STORE and DATA_DIR are those with which they were stored; else bring ' +
      'the bytes back from a copy.',
  );
}

/** Examines whether the newest files of the database have their bytes. It changes nothing. */
export async function* examineFiles(
  connection: Connection,
  settings: Settings,
): AsyncGenerator<Finding> {
  const db = openDatabase(connection, { connections: 1 });
  try {
    if ((await findMigration(db)) === latestMigration)
      yield await examineBytes(await listNewest(db, CHECKED_FILES), settings);
  } catch {
    // `examineDatabase` has already reported that the database does not answer.
  } finally {
    await db[Symbol.asyncDispose]();
  }
}
