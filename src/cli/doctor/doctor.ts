import type { Settings } from '../../config.ts';
import { EmbeddedServerError } from '../../db/embedded/embedded-server.ts';
import { SettingError } from '../../setting-parsers.ts';
import { isRestoring } from '../backup/restore-target.store.ts';
import { type OpenStore, openStore } from '../open-store.ts';
import { writeLines } from '../print.ts';
import { examineDatabase } from './examine-database.ts';
import { examineFiles } from './examine-files.ts';
import { examineClearKeys, examineKeys } from './examine-keys.ts';
import { examineDataFolder, examineDisk, examineNode } from './examine-machine.ts';
import { examineWebhooks } from './examine-webhooks.ts';
import { buildFaultFinding, buildOkFinding, type Finding } from './finding.ts';

async function* examineStore(settings: Settings, store: OpenStore): AsyncGenerator<Finding> {
  if (store.embedded) {
    const { data, version } = store.embedded.location;
    yield buildOkFinding(`The database is Stoa's own PostgreSQL ${version} in ${data}.`);
    yield await examineDisk(data, settings);
  } else {
    yield buildOkFinding('The database is the one of DATABASE_URL.');
    if (settings.FILE_STORE === null) yield await examineDisk(settings.DATA_DIR, settings);
  }
  if (await isRestoring(store.connection)) {
    yield buildFaultFinding(
      'A restore into this database was not completed.',
      'Run the same restore again.',
    );
    return;
  }
  yield* examineDatabase(store.connection, settings.CLOCK_OFFSET_SECONDS);
  yield examineClearKeys(settings);
  yield* examineKeys(store.connection, settings);
  yield* examineFiles(store.connection, settings);
  yield* examineWebhooks(store.connection, settings);
}

async function* examineInstallation(settings: Settings): AsyncGenerator<Finding> {
  yield buildOkFinding('Every setting can be read.');
  if (settings.DATABASE_URL === null) {
    const folder = await examineDataFolder(settings);
    yield folder;
    if (!folder.isOk) return;
  }
  const store = await openStore(settings, () => {}, true);
  try {
    yield* examineStore(settings, store);
  } finally {
    await store[Symbol.asyncDispose]();
  }
}

async function* examine(readSettings: () => Settings): AsyncGenerator<Finding> {
  yield examineNode();
  try {
    yield* examineInstallation(readSettings());
  } catch (error) {
    if (error instanceof SettingError)
      yield buildFaultFinding(error.message, 'Until then nothing else can be checked.');
    else if (error instanceof EmbeddedServerError)
      yield buildFaultFinding(`The database cannot be used: ${error.message}`, '');
    else throw error;
  }
}

/** Flags of the command. */
export interface DoctorFlags {
  /** Print one JSON object instead of sentences. */
  readonly json?: true;
}

const summarize = (faults: number): string => {
  if (faults === 0) return 'Nothing is wrong.';
  return faults === 1 ? 'One thing is wrong.' : `${faults} things are wrong.`;
};

/**
 * The command `doctor`: examines an installation, running or not, and prints what is right, what is
 * wrong and what to do, as sentences or as `{"ok", "findings": [{"ok", "text"}]}`. The exit code is
 * 1 if anything is wrong.
 */
export async function doctor(readSettings: () => Settings, { json }: DoctorFlags): Promise<void> {
  const findings: { readonly ok: boolean; readonly text: string }[] = [];
  for await (const { isOk: ok, text } of examine(readSettings)) {
    findings.push({ ok, text: text.trim() });
    if (!json) writeLines(`${ok ? 'right' : 'WRONG'}  ${text.trim()}`);
  }
  const faults = findings.filter(({ ok }) => !ok).length;
  writeLines(json ? JSON.stringify({ ok: faults === 0, findings }, null, 2) : summarize(faults));
  if (faults > 0) process.exitCode = 1;
}
