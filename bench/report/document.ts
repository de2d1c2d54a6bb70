import { readFileSync, writeFileSync } from 'node:fs';
import type { Spread } from '../measure/stats.ts';

const wholeNumbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
/** Formats a whole number, such as 12,345. */
export const formatNumber = (value: number): string => wholeNumbers.format(value);
const formatFine = (value: number): string =>
  value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : formatNumber(value);
/** Formats minimum, median and maximum. */
export const formatSpread = (
  { min, median, max }: Spread,
  form: (value: number) => string = formatNumber,
): string => `${form(min)} – **${form(median)}** – ${form(max)}`;
/** Formats a spread of milliseconds with up to two decimals. */
export const formatMilliseconds = (spread: Spread): string => formatSpread(spread, formatFine);

/** Formats a goal, and whether it was reached. */
export const formatVerdict = (goal: string, isReached: boolean): string =>
  `${goal}: ${isReached ? 'reached' : 'MISSED'}`;

/** Renders a table in Markdown. */
export function renderMarkdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const renderRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    renderRow(head),
    renderRow(head.map((_, index) => (index === 0 ? '---' : '--:'))),
    ...rows.map(renderRow),
  ].join('\n');
}

const BEGIN = '<!-- bench: begin -->';
const END = '<!-- bench: end -->';

/**
 * Replaces the text between the markers of a document.
 * Errors: Error when the markers are missing.
 */
export function replaceBetweenMarkers(path: string, text: string): void {
  const before = readFileSync(path, 'utf8');
  const begin = before.indexOf(BEGIN);
  const end = before.indexOf(END);
  if (begin < 0 || end < begin) throw new Error(`${path} must have the lines ${BEGIN} and ${END}.`);
  writeFileSync(
    path,
    `${before.slice(0, begin + BEGIN.length)}\n\n${text}\n\n${before.slice(end)}`,
  );
}
