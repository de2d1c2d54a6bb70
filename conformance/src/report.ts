import type { Result } from './run-checks.ts';
import { escapeControls } from './support/escape-controls.ts';

export interface Report {
  readonly url: string;
  readonly service: string;
  readonly version: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly totals: Readonly<Record<Result['state'], number>>;
  readonly checks: readonly Result[];
}

const countStates = (results: readonly Result[]): Report['totals'] => {
  const count = (state: Result['state']) => results.filter((one) => one.state === state).length;
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
};

/** Builds the report of a run. */
export const buildReport = (
  about: Omit<Report, 'totals' | 'checks'>,
  checks: readonly Result[],
): Report => ({ ...about, totals: countStates(checks), checks });

const formatTotals = ({ passed, failed, skipped }: Report['totals']): string =>
  `${passed} passed, ${failed} failed, ${skipped} skipped`;

const formatFailure = ({ id, source, sentence, reason, exchange }: Result): string =>
  [`FAILED ${id} (${source})`, `  "${sentence}"`, `  ${reason}`, exchange ?? '']
    .join('\n')
    .trimEnd();

/** Groups in the order of their first member. */
function groupBy(results: readonly Result[], pick: (one: Result) => string) {
  const groups = new Map<string, Result[]>();
  for (const one of results) groups.set(pick(one), [...(groups.get(pick(one)) ?? []), one]);
  return [...groups];
}

/** Writes a report for a person: areas, skipped checks by their reason, failures in full. */
export function formatReport(report: Report): string {
  const { url, service, version, checks, totals, seconds } = report;
  const areas = groupBy(checks, ({ area }) => area).map(
    ([name, results]) => `  ${name.padEnd(16)} ${formatTotals(countStates(results))}`,
  );
  const skipped = groupBy(
    checks.filter(({ state }) => state === 'skipped'),
    ({ reason }) => reason ?? '',
  ).map(([reason, results]) => `SKIPPED ${results.map(({ id }) => id).join(', ')}\n  ${reason}`);
  const failures = checks.filter(({ state }) => state === 'failed').map(formatFailure);
  return [
    escapeControls(`${service} ${version} at ${url}`),
    areas.join('\n'),
    ...skipped,
    ...failures,
    `${checks.length} checks in ${seconds.toFixed(1)} s: ${formatTotals(totals)}`,
  ].join('\n\n');
}
