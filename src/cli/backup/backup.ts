import { resolve } from 'node:path';
import { openBlobs } from '../../app/open-resources.ts';
import { keepAll } from '../../blobs/blob-claims.store.ts';
import type { Settings } from '../../config.ts';
import { openSession, type Session } from '../../db/copy/open-session.ts';
import { beginSnapshot, tryBackupLock } from '../../db/copy/read-snapshot.ts';
import type { Queryable } from '../../db/database.ts';
import { findMigration, latestMigration } from '../../db/migrate.ts';
import type { Sql } from '../../db/sql.ts';
import { findLatest } from '../../features/log/store.ts';
import { createProgress, formatCount } from '../../import/progress.ts';
import { systemClock } from '../../kernel/clock.ts';
import { version } from '../../kernel/package-file.ts';
import { CommandError } from '../describe-error.ts';
import { openInstallation } from '../open-store.ts';
import { makeFolder, removeMark, syncTree, toPaths } from './backup-folder.ts';
import { checkBackup } from './check-backup.ts';
import { findLogFaults } from './check-stored-log.ts';
import { copyFiles } from './copy-files.ts';
import { copyFileList, copyTables, packTables } from './copy-tables.ts';
import { findLedgerFaults } from './find-faults.ts';
import { findSigningKeys } from './find-signing-keys.store.ts';
import { lowerPriority } from './lower-priority.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import { createPace, type Pace, type Work } from './pace.ts';
import { prepareFolder } from './prepare-folder.ts';
import { runInterruptible } from './run-interruptible.ts';

/** Lets statements rest between each other. */
const atPace = (pace: Pace, db: Queryable): Queryable => ({
  ...db,
  rows: async <Row>(query: Sql) => {
    const found = await db.rows<Row>(query);
    await pace.rest();
    return found;
  },
});

const CLEAR_KEYS =
  'This backup holds the keys that sign receipts and the log in clear, because DATA_KEY is not ' +
  'set: whoever reads it can sign as this installation.';

/** Describes how the keys are stored. Errors: CommandError when they must not be copied so. */
async function readSigningKeys(
  { db }: Session,
  { DATA_KEY }: Settings,
): Promise<Manifest['signingKeys']> {
  const found = await findSigningKeys(db);
  if (found === 'clear' && DATA_KEY !== null)
    throw new CommandError(
      'DATA_KEY is set, but a signing key is still in clear in the database. Restart the service ' +
        'with DATA_KEY, which seals it, then run the backup again.',
    );
  return found;
}

/** Copies the tables of one moment, and checks them. */
async function copySnapshot(
  session: Session,
  settings: Settings,
  folder: string,
  work: Work,
): Promise<{ manifest: Omit<Manifest, 'format' | 'lostFiles'>; fileBytes: number }> {
  const { progress } = work;
  const snapshot = await beginSnapshot(session);
  const signingKeys = await readSigningKeys(session, settings);
  progress.say(`The backup shows the moment ${snapshot.takenAt}.`);
  const copied = await copyTables(session, snapshot, folder, work);
  const files = await copyFileList(session, folder, work.signal);
  const ledgerFaults = await findLedgerFaults(session.db);
  const log = await findLatest(session.db);
  await session.client.query('COMMIT');
  const tables = await packTables(copied, folder, work);
  progress.say('Checking the log of that moment ...');
  const logFaults = await findLogFaults(atPace(work.pace, session.db), log);
  return {
    fileBytes: files.bytes,
    manifest: {
      stoa: version,
      takenAt: snapshot.takenAt,
      migration: latestMigration,
      service: settings.SERVICE_NAME,
      realm: settings.REALM,
      baseUrl: settings.BASE_URL,
      signingKeys,
      tables,
      sequences: snapshot.sequences,
      fileList: files.list,
      faults: [...ledgerFaults, ...logFaults],
    },
  };
}

async function assertReady({ db }: Session): Promise<void> {
  if ((await findMigration(db)) !== latestMigration)
    throw new CommandError(
      'The schema is not that of this version of Stoa. Run: stoa migrate, or back up with the ' +
        'version that the service has.',
    );
  if (!(await tryBackupLock(db)))
    throw new CommandError('Another backup of this installation is running: wait for its end.');
}

async function backUp(
  session: Session,
  settings: Settings,
  folder: string,
  signal: AbortSignal,
): Promise<string[]> {
  const progress = createProgress(process.stderr, systemClock());
  const pace = createPace(signal);
  const work: Work = { progress, pace, signal };
  await assertReady(session);
  if (await prepareFolder(folder))
    progress.say('An earlier run did not complete: its copies of files are used again.');
  await keepAll(session.db);
  const { manifest, fileBytes } = await copySnapshot(session, settings, folder, work);
  await makeFolder(toPaths(folder).files);
  progress.begin('Files of messages', manifest.fileList.rows);
  const lostFiles = await copyFiles(openBlobs(settings), folder, work);
  progress.end();
  // Until here nothing that the snapshot names was deleted, provided that the session still exists.
  await session.client.query('SELECT 1');
  await syncTree(folder, pace);
  await checkBackup(folder, { ...manifest, lostFiles }, work);
  const lost = `${lostFiles.length} files have lost their bytes, ${lostFiles[0]} among them.`;
  const faults = lostFiles.length === 0 ? manifest.faults : [...manifest.faults, lost];
  await writeManifest(folder, { ...manifest, lostFiles, faults });
  await removeMark(folder);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  process.stdout.write(
    `The backup in ${folder} is complete: ${formatCount(rows)} rows in ` +
      `${manifest.tables.length} tables, ${formatCount(manifest.fileList.rows)} files of ` +
      `${formatCount(fileBytes)} bytes. Its hashes, the ledger and the log were checked.\n` +
      `${manifest.signingKeys === 'clear' ? `${CLEAR_KEYS}\n` : ''}`,
  );
  return [...faults];
}

/**
 * The command `backup`: copies database and files of one moment into a folder. A service may be
 * running on them. Errors: CommandError.
 */
export async function runBackup(settings: Settings, given: string): Promise<void> {
  const folder = resolve(given);
  await runInterruptible(folder, async (signal) => {
    const store = await openInstallation(settings);
    // Threads that began since then.
    lowerPriority();
    try {
      const session = await openSession(store.connection, signal);
      try {
        const faults = await backUp(session, settings, folder, signal);
        if (faults.length > 0)
          throw new CommandError(
            `The backup is complete, but the installation has faults: ${faults.join(' ')}`,
          );
      } finally {
        await session[Symbol.asyncDispose]();
      }
    } finally {
      await store[Symbol.asyncDispose]();
    }
  });
}
