import { count, duration, type Progress } from './progress.ts';
import type { Refusal } from './state.ts';

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
}

/** What a run found out; told as it happens, counted for the end. */
export interface Report {
  /** A line that is no statement, or something that is not as it should be: the run fails. */
  fault(text: string): void;
  /** A statement that the service does not take: the run goes on and may succeed. */
  refused(refusal: Refusal): void;
  /** Something has another name on the service. */
  renamed(text: string): void;
  /** Statements posted by this run, and found there from an earlier one. */
  posted: number;
  found: number;
  /** Statements that were compared and are byte for byte what the file says. */
  equal: number;
  readonly faults: number;
  readonly refusals: number;
}

const SHOWN = 20;

/** `place` names the file for messages about its lines. */
export function createReport(progress: Progress, place: string): Report {
  let faults = 0;
  let refusals = 0;
  let names = 0;
  const tell = (number: number, text: string) => {
    if (number < SHOWN) progress.say(text);
    else if (number === SHOWN) progress.say('… and more of the same kind, not shown');
  };
  return {
    fault: (text) => tell(faults++, text),
    refused: ({ line, code, detail }) => tell(refusals++, `${place}:${line}: refused (${code}): ${detail}`),
    renamed: (text) => tell(names++, text),
    posted: 0,
    found: 0,
    equal: 0,
    get faults() {
      return faults;
    },
    get refusals() {
      return refusals;
    },
  };
}

/** The table at the end. `seconds` are those of posting, and of the whole run. */
export function table(totals: Totals, report: Report, seconds: { readonly posting: number; readonly all: number }): string {
  const rows = Object.entries(totals).map(([name, { file, service }]) => [
    name,
    count(file),
    count(service),
    name === 'messages' ? count(report.refusals) : '',
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
    `compared   ${count(report.equal)} of ${count(totals.messages.file - report.refusals)} messages are equal byte for byte and in order`,
    `this run   posted ${count(report.posted)} in ${duration(seconds.posting)} (${rate} messages/s), found ${count(report.found)} from earlier runs; ${duration(seconds.all)} in all`,
  ].join('\n');
}
