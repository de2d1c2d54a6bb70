import { type Clock, systemClock } from '../kernel/clock.ts';
import { type Random, systemRandom } from '../kernel/ids.ts';
import { registerAuthors } from './accounts.ts';
import { attachFiles } from './attachments.ts';
import { formatOf } from './formats.ts';
import { createKeys } from './keys.ts';
import { inLanes } from './lanes.ts';
import { createPoster } from './posting.ts';
import { createProgress } from './progress.ts';
import { compareAll } from './read-back.ts';
import { fileSha256 } from './read-lines.ts';
import { createReport, type Report, type Totals, table } from './report.ts';
import { joinRooms, leaveRooms, openRooms } from './rooms.ts';
import { connect, toImportError } from './import-service.ts';
import { openState } from './import-state.ts';
import { setSummaries } from './summaries.ts';
import type { Work } from './work.ts';

export interface ImportOptions {
  readonly file: string;
  /** Address of the installation. */
  readonly url: string;
  readonly adminKey?: string | undefined;
  /** How many post at once. */
  readonly posters: number;
  /** Where the state is kept, for a file with this SHA-256. */
  readonly stateOf: (sha256: string) => string;
}

/** The outside world as an import sees it. */
export interface ImportWorld {
  readonly out: { readonly isTTY?: boolean; write(text: string): unknown };
  readonly clock?: Clock;
  readonly random?: Random;
  readonly sleep?: (milliseconds: number) => Promise<void>;
}

export interface Imported {
  readonly totals: Totals;
  readonly report: Report;
  /** For a person. */
  readonly table: string;
}

const sleepFor = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Imports a file as ordinary agents and reads everything back. May be killed and run again at any moment.
 * Errors: ImportError, a sentence that says what to do. What can be told and passed over is in the report.
 */
export async function runImport(
  { file, url, adminKey, posters, stateOf }: ImportOptions,
  world: ImportWorld,
): Promise<Imported> {
  const { out, clock = systemClock(), random = systemRandom, sleep = sleepFor } = world;
  const progress = createProgress(out, clock);
  const report = createReport(progress, file);
  const began = clock();

  const sha256 = await fileSha256(file);
  const format = await formatOf(file);
  const plan = await format.plan(file, ({ line, fault }) =>
    report.fault(`${file}:${line}: ${fault}; the line is left out`),
  );
  const statePath = stateOf(sha256);
  await using state = await openState(statePath, sha256, random);
  progress.say(`${state.resumed ? 'going on with' : 'importing'} ${file} (state: ${statePath})`);
  for (const remark of plan.remarks) progress.say(remark);
  for (const { title, said, line } of plan.threads.values()) {
    if (title !== said.normalize('NFC').trim())
      report.renamed(
        `${file}:${line}: the title is changed or shortened to ${JSON.stringify(title)}`,
      );
  }

  const service = connect({ url, adminKey, sleep, say: progress.say });
  const work: Work = {
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
  const totals: Totals = {
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

    const posting = clock();
    progress.begin('statements', plan.statements);
    await inLanes(
      format.statements(file),
      { laneOf: ({ thread }) => thread, width: posters },
      createPoster(work),
    );
    progress.end();
    const posted = clock();
    await attachFiles(work);
    await setSummaries(work);
    await leaveRooms(work);

    await compareAll(work, totals);
    return {
      totals,
      report,
      table: table(totals, report, plan, {
        posting: (posted - posting) / 1000,
        all: (clock() - began) / 1000,
      }),
    };
  } catch (error) {
    throw toImportError(error, url, statePath);
  }
}
