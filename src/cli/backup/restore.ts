import { lstat, mkdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openBlobs } from '../../app/open-resources.ts';
import type { Settings } from '../../config.ts';
import { loadTables, type TableRows } from '../../db/copy/load-tables.ts';
import { openSession, type Session } from '../../db/copy/open-session.ts';
import { latestMigration, migrate } from '../../db/migrate.ts';
import { holdMigrations } from '../../db/migration-lock.ts';
import { createProgress, formatCount, type Progress } from '../../import/progress.ts';
import { systemClock } from '../../kernel/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import { CommandError } from '../describe-error.ts';
import { migrateStore, type OpenStore, openStore } from '../open-store.ts';
import { writeLine } from '../print.ts';
import { toTablePath, unpack } from './backup-folder.ts';
import { checkBackup } from './check-backup.ts';
import { findFaults } from './find-faults.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { fullPace } from './pace.ts';
import {
  findRestore,
  markLoaded,
  markRestore,
  type RestoreState,
  removeRestoreMark,
  tryRestoreLock,
} from './restore-target.store.ts';
import { runInterruptible } from './run-interruptible.ts';
import { storeFiles } from './store-files.ts';

/** What a restore works with. */
interface Restore {
  readonly settings: Settings;
  readonly folder: string;
  readonly manifest: Manifest;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Errors: CommandError when this version or these settings cannot serve what the backup has. */
function assertFits({ migration, signingKeys, stoa }: Manifest, { DATA_KEY }: Settings): void {
  if (migration > latestMigration)
    throw new CommandError(
      `The backup is at migration ${migration}, this version knows ${latestMigration}: ` +
        `restore it with Stoa ${stoa} or newer.`,
    );
  if (signingKeys === 'sealed' && DATA_KEY === null)
    throw new CommandError(
      'The signing keys of the backup are sealed: set DATA_KEY to the one of the installation ' +
        'that it was taken from.',
    );
}

/**
 * Errors: CommandError when root would store files in a folder that another user may change: root
 * would follow links in it, and its owner could not read what root stores.
 */
async function assertOwnFiles({ DATA_DIR }: Settings): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const files = join(DATA_DIR, 'files');
  const folders = [DATA_DIR, files, join(files, 'stored'), join(files, 'arriving')];
  for (const folder of folders) {
    const absent = () => ({ uid: 0, mode: 0 });
    const link = await lstat(folder).catch(absent);
    const found = await stat(folder).catch(absent);
    if (link.uid !== 0 || found.uid !== 0 || (found.mode & 0o022) !== 0)
      throw new CommandError(
        `${folder} belongs to another user, or others may write there. Name a new DATA_DIR, or ` +
          'restore as the user that will serve: root would store what that user cannot read.',
      );
  }
}

/** Errors: CommandError when anything but an interrupted restore of this backup is there. */
async function assertUnused(
  { db }: Session,
  { manifest, settings }: Restore,
): Promise<RestoreState | null> {
  const found = await findRestore(db);
  if (found === undefined)
    throw new CommandError(
      settings.DATABASE_URL === null
        ? `The data folder ${resolve(settings.DATA_DIR)} is in use: it has an installation. Set ` +
            'DATA_DIR to an empty or a new folder.'
        : 'The database of DATABASE_URL is in use: it has tables. Make an empty one.',
    );
  if (found !== null && found.takenAt !== manifest.takenAt)
    throw new CommandError(
      `A restore of another backup, that of ${found.takenAt}, was interrupted here. Complete ` +
        'that one, or begin with an empty folder or database.',
    );
  return found;
}

const listRows = ({ folder, manifest, progress, signal }: Restore): TableRows[] =>
  manifest.tables.map((table) => ({
    ...table,
    read: async function* () {
      for await (const piece of unpack(toTablePath(folder, table.name))) {
        signal.throwIfAborted();
        yield piece;
      }
      progress.add();
    },
  }));

/** Loads the rows, in one transaction. */
async function load(session: Session, restore: Restore): Promise<void> {
  const { manifest, progress } = restore;
  progress.begin('Tables', manifest.tables.length);
  await session.client.query('BEGIN');
  await loadTables(session, listRows(restore), manifest.sequences);
  await markLoaded(session);
  await session.client.query('COMMIT');
  progress.end();
  await session.client.query('ANALYZE');
}

async function restoreInto(
  store: OpenStore,
  session: Session,
  restore: Restore,
): Promise<string[]> {
  const { settings, folder, manifest, progress, signal } = restore;
  if (!(await tryRestoreLock(session.db)))
    throw new CommandError('Another restore into this database is running: wait for its end.');
  // A service that starts at the same moment has made its tables before, or finds the mark.
  const found = await holdMigrations(session.client, async () => {
    const before = await assertUnused(session, restore);
    if (before === null) await markRestore(session, manifest.takenAt);
    return before;
  });
  if (found) progress.say('An earlier run did not complete: this one continues.');
  if (!found?.loaded) {
    await migrate(store.owner, undefined, { upTo: manifest.migration });
    // The account that serves instead of root must be able to enter the folder.
    await mkdir(settings.DATA_DIR, { recursive: true, mode: 0o711 });
    const newId = createIds(systemClock());
    const target = { blobs: openBlobs(settings), dataDir: settings.DATA_DIR, newId };
    // The check of a large backup takes hours.
    await assertOwnFiles(settings);
    await storeFiles(folder, manifest, target, progress, signal);
    await load(session, restore);
  }
  await migrateStore(store, settings, { upTo: latestMigration });
  progress.say('Checking ledger, reputation, log and all that doctor counts ...');
  const faults = await findFaults(store.connection);
  await removeRestoreMark(session);
  return faults;
}

/** What is left to do, as lines. */
function listNextSteps({ manifest, settings, folder }: Restore): string[] {
  const { realm, service, baseUrl, signingKeys, lostFiles, takenAt } = manifest;
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  const differing = [
    { name: 'REALM', was: realm, is: settings.REALM },
    { name: 'SERVICE_NAME', was: service, is: settings.SERVICE_NAME },
    { name: 'BASE_URL', was: baseUrl, is: settings.BASE_URL },
  ].filter(({ was, is }) => was !== is);
  return [
    `Restored ${folder}, the moment ${takenAt}: ${formatCount(rows)} rows and ` +
      `${formatCount(manifest.fileList.rows - lostFiles.length)} files. Hashes, ledger, ` +
      'reputation and log were checked.',
    ...differing.map(
      ({ name, was, is }) =>
        `${name} was ${was ?? 'unset'} and is ${is ?? 'unset'} here: receipts and links name it. ` +
        'Set it as it was, unless you mean to change it.',
    ),
    ...(signingKeys === 'clear'
      ? ['The signing keys are in clear, in the backup and here. DATA_KEY would seal them.']
      : []),
    'What was acknowledged after that moment is not here. Stop the installation that the backup ' +
      'was taken from, if it still runs: both would continue one log.',
    'Next: stoa doctor, then stoa serve.',
  ];
}

/**
 * The command `restore`: makes an installation from a backup, in an empty data folder or database.
 * Errors: CommandError.
 */
export async function runRestore(settings: Settings, given: string): Promise<void> {
  const folder = resolve(given);
  await runInterruptible(folder, async (signal) => {
    const progress = createProgress(process.stderr, systemClock());
    const manifest = await readManifest(folder);
    assertFits(manifest, settings);
    await assertOwnFiles(settings);
    await checkBackup(folder, manifest, { progress, pace: fullPace, signal });
    const store = await openStore(settings, () => {}, false);
    const restore: Restore = { settings, folder, manifest, progress, signal };
    try {
      const session = await openSession(store.owner, signal);
      try {
        const faults = await restoreInto(store, session, restore);
        for (const line of listNextSteps(restore)) writeLine(line);
        const all = [...new Set([...manifest.faults, ...faults])];
        if (all.length > 0)
          throw new CommandError(`The restored installation has faults: ${all.join(' ')}`);
      } finally {
        await session[Symbol.asyncDispose]();
      }
    } finally {
      await store[Symbol.asyncDispose]();
    }
  });
}
