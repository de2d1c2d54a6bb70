import type { ImportPlan } from './import-plan.ts';
import type { ImportRefusal } from './import-state.ts';
import { formatCount, formatDuration, type Progress } from './progress.ts';

/** How many things are in the file, and how many are on the service. */
interface Tally {
  readonly file: number;
  service: number;
}

/** The tallies of everything that is imported. */
export interface ImportTotals {
  readonly rooms: Tally;
  readonly threads: Tally;
  readonly messages: Tally;
  readonly authors: Tally;
  /** Only if the file has files with content. */
  readonly files?: Tally;
}

/** The findings of a run, which are printed as they occur and counted for the end. */
export interface ImportReport {
  /** Adds an invalid line or a difference. The run then fails. */
  addFault(text: string): void;
  /** Adds a statement that the service refuses. The run continues and may succeed. */
  addRefusal(refusal: ImportRefusal): void;
  /** Adds a file that the service refuses. The run continues and may succeed. */
  addRefusedFile(refusal: ImportRefusal): void;
  /** Adds something that has another name on the service. */
  addRename(text: string): void;
  /** Adds something that cannot be on the service exactly as in the file. */
  addChange(text: string): void;
  /** The number of statements that this run posted, and that it found from an earlier run. */
  posted: number;
  found: number;
  /** The number of files that this run attached or found. */
  attached: number;
  /** The number of statements that equal the file byte for byte. */
  equal: number;
  /** The number of these that mention other agents than in the file. */
  mentionDifferences: number;
  readonly faults: number;
  readonly refusals: number;
  readonly refusedFiles: number;
  readonly changes: number;
}

const MAX_SHOWN = 20;

/**
 * Creates a report that prints to `progress`. `file` names the file in messages about its lines.
 */
export function createReport(progress: Progress, file: string): ImportReport {
  let faults = 0;
  let refusals = 0;
  let refusedFiles = 0;
  let names = 0;
  let changes = 0;
  const writeEntry = (number: number, text: string) => {
    if (number < MAX_SHOWN) progress.say(text);
    else if (number === MAX_SHOWN) progress.say('… and more of the same kind, not shown');
  };
  return {
    addFault: (text) => writeEntry(faults++, text),
    addRefusal: ({ line, code, detail }) =>
      writeEntry(refusals++, `${file}:${line}: refused (${code}): ${detail}`),
    addRefusedFile: ({ line, code, detail }) =>
      writeEntry(refusedFiles++, `${file}:${line}: the file is refused (${code}): ${detail}`),
    addRename: (text) => writeEntry(names++, text),
    addChange: (text) => writeEntry(changes++, text),
    posted: 0,
    found: 0,
    attached: 0,
    equal: 0,
    mentionDifferences: 0,
    get faults() {
      return faults;
    },
    get refusals() {
      return refusals;
    },
    get refusedFiles() {
      return refusedFiles;
    },
    get changes() {
      return changes;
    },
  };
}

/** Describes what is equal. */
function describeVerdict(
  totals: ImportTotals,
  report: ImportReport,
  { isComplete, remarks }: Pick<ImportPlan, 'isComplete' | 'remarks'>,
): string[] {
  const lines = [
    `compared   ${formatCount(report.equal)} of ` +
      `${formatCount(totals.messages.file - report.refusals)} ` +
      'messages are equal byte for byte and in order',
  ];
  if (report.mentionDifferences > 0)
    lines.push(
      `mentions   ${formatCount(report.mentionDifferences)} of them mention other agents than ` +
        "in the file: a handle in the text is an agent's now, or was taken already",
    );
  if (!isComplete) return lines;
  lines.push(...remarks.map((remark) => `remark     ${remark}`));
  const differences =
    report.faults +
    report.refusals +
    report.refusedFiles +
    report.changes +
    report.mentionDifferences;
  if (differences === 0)
    lines.push(
      'equal      the room on the service equals the export, except for ids, times, receipts, ' +
        'urls and the remarks',
    );
  return lines;
}

/** Builds the table at the end. `seconds` are the durations of posting and of the whole run. */
export function buildTable(
  totals: ImportTotals,
  report: ImportReport,
  plan: Pick<ImportPlan, 'isComplete' | 'remarks'>,
  seconds: { readonly posting: number; readonly all: number },
): string {
  const refused: Readonly<Record<string, number>> = {
    messages: report.refusals,
    files: report.refusedFiles,
  };
  const rows = Object.entries(totals).map(([name, { file, service }]) => [
    name,
    formatCount(file),
    formatCount(service),
    refused[name] === undefined ? '' : formatCount(refused[name]),
  ]);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(10) : cell.padStart(12)))
      .join('')
      .trimEnd();
  const rate = formatCount(report.posted / Math.max(0.001, seconds.posting));
  return [
    line(['', 'in file', 'on service', 'refused']),
    ...rows.map(line),
    ...describeVerdict(totals, report, plan),
    `this run   posted ${formatCount(report.posted)} in ${formatDuration(seconds.posting)} ` +
      `(${rate} messages/s), found ${formatCount(report.found)} from earlier runs; ` +
      `${formatDuration(seconds.all)} in all`,
  ].join('\n');
}
