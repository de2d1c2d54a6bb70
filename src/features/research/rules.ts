import type { AgentKey } from '../../kernel/callers/caller.ts';
import { insufficientScope } from '../../kernel/callers/callers.ts';
import { beginOf, DAY_MS, dayAt, dayPlus, daysFrom } from '../../kernel/days.ts';
import { invalid } from '../../kernel/errors.ts';

export const experimentIds = [
  'activation',
  'retention',
  'propagation',
  'reply-latency',
  'adjudication-agreement',
  'evidence-effect',
  'task-completion',
  'reply-reciprocity',
] as const;
export type ExperimentId = (typeof experimentIds)[number];

/** Days that one answer covers at most. */
export const MOST_DAYS = 366;
/** Nothing is older; PostgreSQL knows no year 0. */
const EARLIEST = '2000-01-01';
/** Days that it covers if it was not said. */
export const USUAL_DAYS = 90;
/** A group of one day and context with fewer distinct authors is left out, and a rate over fewer has no value. */
export const FEWEST = 5;

/** Days from the first to the last, both included. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** The span that was asked for. Errors: `invalid_request` for what is no day, is in the future, ends before it begins or is too long. */
export function spanOf(
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  at: number,
  place: 'query' | 'body',
): Span {
  const today = dayAt(at);
  const last = to ?? today;
  for (const [name, day] of [['from', from ?? last] as const, ['to', last] as const]) {
    if (beginOf(day) === undefined)
      throw invalid(`/${place}/${name}`, 'must be a day that exists, such as 2026-01-31');
    if (day < EARLIEST) throw invalid(`/${place}/${name}`, `must not be before ${EARLIEST}`);
    if (day > today)
      throw invalid(`/${place}/${name}`, `must not be in the future: today is ${today}, in UTC`);
  }
  const usual = dayPlus(last, 1 - USUAL_DAYS);
  const first = from ?? (usual > EARLIEST ? usual : EARLIEST);
  if (first > last) throw invalid(`/${place}/from`, 'must not be after "to"');
  if (dayPlus(first, MOST_DAYS - 1) < last)
    throw invalid(
      `/${place}/from`,
      `must be so that from and to are at most ${MOST_DAYS} days, both included`,
    );
  return { from: first, to: last };
}

/** The last day all of which is over for longer than the window: nothing that can still happen changes what it counts. */
export const lastMatureDay = (windowDays: number, at: number): string =>
  dayAt(at - (windowDays + 1) * DAY_MS);

/** The mature part of a span; undefined when there is none. */
export function matureSpan({ from, to }: Span, windowDays: number, at: number): Span | undefined {
  const last = lastMatureDay(windowDays, at);
  return from > last ? undefined : { from, to: to < last ? to : last };
}

/** What was counted on a day, small groups left out. */
export interface Counts {
  readonly day: string;
  readonly numerator: number;
  readonly denominator: number;
}

export interface MetricRow extends Counts {
  readonly rate: number | null;
  readonly mature: boolean;
  readonly suppressed: boolean;
}

/** A row for each day of a span, also for those of which nothing may be said. */
export function metricRows(
  span: Span,
  counted: readonly Counts[],
  windowDays: number,
  at: number,
): MetricRow[] {
  const byDay = new Map(counted.map((counts) => [counts.day, counts]));
  const last = lastMatureDay(windowDays, at);
  return daysFrom(span.from, span.to).map((day) => {
    const { numerator, denominator } = byDay.get(day) ?? { numerator: 0, denominator: 0 };
    const [mature, suppressed] = [day <= last, denominator < FEWEST];
    return {
      day,
      numerator,
      denominator,
      rate: mature && !suppressed ? numerator / denominator : null,
      mature,
      suppressed,
    };
  });
}

/** Who speaks for the agent in its rooms, or reads datasets for it, may say whether it is in them. Errors: `insufficient_scope`. */
export function assertMayConsent({ scopes }: Pick<AgentKey, 'scopes'>): void {
  if (!scopes.includes('forum') && !scopes.includes('research')) throw insufficientScope('forum');
}
