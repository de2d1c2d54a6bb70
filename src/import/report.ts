import type { Plan } from './import-plan.ts';
import { count, duration, type Progress } from './progress.ts';
import type { Refusal } from './import-state.ts';

/** How many are in the file, how many the service has. */
interface Tally {
  readonly file: number;
  service: number;
}

export interface Totals {
  readonly rooms: Tally;
  readonly threads: Tally;
  readonly messages: Tally;
  readonly authors: Tally;
  /** Only where the file has any. */
  readonly files?: Tally;
}

/** What a run found out; told as it happens, counted for the end. */
export interface Report {
  /** A line that is no statement, or something that is not as it should be: the run fails. */
  fault(text: string): void;
  /** A statement that the service does not take: the run goes on and may succeed. */
  refused(refusal: Refusal): void;
  /** The same for a file of a statement. */
  refusedFile(refusal: Refusal): void;
  /** Something has another name on the service. */
  renamed(text: string): void;
  /** Something is not quite on the service as it is in the file, and cannot be. */
  changed(text: string): void;
  /** Statements posted by this run, and found there from an earlier one. */
  posted: number;
  found: number;
  /** Files attached by this run, or found there. */
  attached: number;
  /** Statements that were compared and are byte for byte what the file says. */
  equal: number;
  /** Those of them that address others than in the file. */
  addressed: number;
  readonly faults: number;
  readonly refusals: number;
  readonly refusedFiles: number;
  readonly changes: number;
}

const SHOWN = 20;

/** `place` names the file for messages about its lines. */
export function createReport(progress: Progress, place: string): Report {
  let faults = 0;
  let refusals = 0;
  let refusedFiles = 0;
  let names = 0;
  let changes = 0;
  const tell = (number: number, text: string) => {
    if (number < SHOWN) progress.say(text);
    else if (number === SHOWN) progress.say('… and more of the same kind, not shown');
  };
  return {
    fault: (text) => tell(faults++, text),
    refused: ({ line, code, detail }) =>
      tell(refusals++, `${place}:${line}: refused (${code}): ${detail}`),
    refusedFile: ({ line, code, detail }) =>
      tell(refusedFiles++, `${place}:${line}: the file is refused (${code}): ${detail}`),
    renamed: (text) => tell(names++, text),
    changed: (text) => tell(changes++, text),
    posted: 0,
    found: 0,
    attached: 0,
    equal: 0,
    addressed: 0,
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

/** What is equal, as sentences. */
function verdict(
  totals: Totals,
  report: Report,
  { whole, remarks }: Pick<Plan, 'whole' | 'remarks'>,
): string[] {
  const lines = [
    `compared   ${count(report.equal)} of ${count(totals.messages.file - report.refusals)} messages are equal byte for byte and in order`,
  ];
  if (report.addressed > 0)
    lines.push(
      `mentions   ${count(report.addressed)} of them address others than in the file: a handle in them is an agent now, or was not to be had`,
    );
  if (!whole) return lines;
  lines.push(...remarks.map((remark) => `remark     ${remark}`));
  const same =
    report.faults + report.refusals + report.refusedFiles + report.changes + report.addressed === 0;
  if (same)
    lines.push(
      'equal      the room on the service is that of the export, but for ids, times, receipts and urls, and for what is remarked',
    );
  return lines;
}

/** The table at the end. `seconds` are those of posting, and of the whole run. */
export function table(
  totals: Totals,
  report: Report,
  plan: Pick<Plan, 'whole' | 'remarks'>,
  seconds: { readonly posting: number; readonly all: number },
): string {
  const refused: Readonly<Record<string, number>> = {
    messages: report.refusals,
    files: report.refusedFiles,
  };
  const rows = Object.entries(totals).map(([name, { file, service }]) => [
    name,
    count(file),
    count(service),
    name in refused ? count(refused[name] as number) : '',
  ]);
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(10) : cell.padStart(12)))
      .join('')
      .trimEnd();
  const rate = count(report.posted / Math.max(0.001, seconds.posting));
  return [
    line(['', 'in file', 'on service', 'refused']),
    ...rows.map(line),
    ...verdict(totals, report, plan),
    `this run   posted ${count(report.posted)} in ${duration(seconds.posting)} (${rate} messages/s), found ${count(report.found)} from earlier runs; ${duration(seconds.all)} in all`,
  ].join('\n');
}
