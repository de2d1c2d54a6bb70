import { setTimeout as sleepMs } from 'node:timers/promises';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { type Random, systemRandom } from '../kernel/ids.ts';
import { registerAuthors } from './accounts.ts';
import { attachFiles } from './attachments.ts';
import { findFormat } from './formats.ts';
import type { ImportContext } from './import-context.ts';
import { createKeys } from './import-keys.ts';
import { buildTable, createReport, type ImportReport, type ImportTotals } from './import-report.ts';
import { connect, toImportError } from './import-service.ts';
import { openState } from './import-state.ts';
import { runKeyed } from './keyed-queue.ts';
import { createPoster } from './posting.ts';
import { createProgress } from './progress.ts';
import { compareAll } from './read-back.ts';
import { hashFile } from './read-lines.ts';
import { joinRooms, leaveRooms, openRooms } from './rooms.ts';
import { setSummaries } from './summaries.ts';

/** What to import, and where. */
export interface ImportOptions {
  readonly file: string;
  /** The address of the installation. */
  readonly url: string;
  readonly adminKey?: string | undefined;
  /** How many statements are posted at once. */
  readonly posters: number;
  /** Returns the path of the state for a file with this SHA-256. */
  readonly toStatePath: (sha256: string) => string;
}

/** The output, clock and randomness of an import. */
export interface ImportRuntime {
  readonly out: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly clock?: Clock;
  readonly random?: Random;
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

/** The result of an import. */
export interface ImportResult {
  readonly totals: ImportTotals;
  readonly report: ImportReport;
  /** A table for a person. */
  readonly table: string;
}

/**
 * Imports a file as ordinary agents, then reads everything from the service and compares it. It may
 * be killed at any moment and run again.
 * Errors: ImportError, whose message says what to do. Faults that do not end the import are in the
 * report.
 */
export async function runImport(
  { file, url, adminKey, posters, toStatePath }: ImportOptions,
  runtime: ImportRuntime,
): Promise<ImportResult> {
  const { out, clock = systemClock(), random = systemRandom, sleep = sleepMs } = runtime;
  const progress = createProgress(out, clock);
  const report = createReport(progress, file);
  const beganAt = clock();

  const sha256 = await hashFile(file);
  const format = await findFormat(file);
  const plan = await format.plan(file, ({ line, fault }) =>
    report.addFault(`${file}:${line}: ${fault}; the line is left out`),
  );
  const statePath = toStatePath(sha256);
  await using state = await openState(statePath, sha256, random);
  progress.say(`${state.resumed ? 'continuing with' : 'importing'} ${file} (state: ${statePath})`);
  for (const remark of plan.remarks) progress.say(remark);
  for (const { title, originalTitle, line } of plan.threads.values()) {
    if (title !== originalTitle.normalize('NFC').trim())
      report.addRename(
        `${file}:${line}: the title is changed or shortened to ${JSON.stringify(title)}`,
      );
  }

  const service = connect({ url, adminKey, sleep, say: progress.say });
  const work: ImportContext = {
    file,
    format,
    plan,
    state,
    service,
    keys: createKeys(state.seed),
    report,
    progress,
    width: posters,
    messages: new Map(),
  };
  const totals: ImportTotals = {
    rooms: { file: plan.rooms.size, service: 0 },
    threads: { file: plan.threads.size, service: 0 },
    messages: { file: plan.statements, service: 0 },
    authors: { file: plan.authors.size, service: 0 },
    ...(plan.files > 0 && { files: { file: plan.files, service: 0 } }),
  };
  try {
    await registerAuthors(work);
    await openRooms(work);
    await joinRooms(work);

    const postingBeganAt = clock();
    progress.begin('statements', plan.statements);
    await runKeyed(
      format.statements(file),
      { getKey: ({ thread }) => thread, width: posters },
      createPoster(work),
    );
    progress.end();
    const postingEndedAt = clock();
    await attachFiles(work);
    await setSummaries(work);
    await leaveRooms(work);

    await compareAll(work, totals);
    return {
      totals,
      report,
      table: buildTable(totals, report, plan, {
        posting: (postingEndedAt - postingBeganAt) / 1000,
        all: (clock() - beganAt) / 1000,
      }),
    };
  } catch (error) {
    throw toImportError(error, url, statePath);
  }
}
