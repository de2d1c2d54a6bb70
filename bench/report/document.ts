import { readFileSync, writeFileSync } from 'node:fs';
import type { Spread } from '../measure/stats.ts';

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
export const number = (value: number): string => whole.format(value);
const fine = (value: number): string =>
  value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : number(value);
export const span = (
  { min, median, max }: Spread,
  form: (value: number) => string = number,
): string => `${form(min)} – **${form(median)}** – ${form(max)}`;
export const milliseconds = (spread: Spread): string => span(spread, fine);

/** What was to be reached, and whether it was. */
export const verdict = (wanted: string, reached: boolean): string =>
  `${wanted}: ${reached ? 'reached' : 'MISSED'}`;

export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(head),
    line(head.map((_, index) => (index === 0 ? '---' : '--:'))),
    ...rows.map(line),
  ].join('\n');
}

const BEGIN = '<!-- bench: begin -->';
const END = '<!-- bench: end -->';

/** Puts the text between the markers of a document; what stands around them stays. Errors: when the markers are not there. */
export function replaceBetweenMarkers(path: string, text: string): void {
  const before = readFileSync(path, 'utf8');
  const [begin, end] = [before.indexOf(BEGIN), before.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${path} must have the lines ${BEGIN} and ${END}.`);
  writeFileSync(
    path,
    `${before.slice(0, begin + BEGIN.length)}\n\n${text}\n\n${before.slice(end)}`,
  );
}
