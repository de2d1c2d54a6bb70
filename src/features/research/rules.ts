import type { AgentKey } from '../../kernel/callers/caller.ts';
import { failInsufficientScope } from '../../kernel/callers/callers.ts';
import { listDays } from '../../kernel/days.ts';
import { getLastMatureDay, type Span } from './spans.rules.ts';

/** The ids of the eight experiments, in the order of the contract. */
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

/** The id of an experiment. */
export type ExperimentId = (typeof experimentIds)[number];

/**
 * A group, which is a day and a context, is left out if it has fewer distinct authors. A rate is
 * suppressed if its denominator is lower.
 */
export const MIN_AUTHORS = 5;

/** The counts of a day, without small groups. */
export interface DayCounts {
  readonly day: string;
  readonly numerator: number;
  readonly denominator: number;
}

/** The figures of a day. `rate` is null unless the day is mature and not suppressed. */
export interface MetricRow extends DayCounts {
  readonly rate: number | null;
  readonly mature: boolean;
  readonly suppressed: boolean;
}

/** Builds one row for each day of a span, including days without counts. */
export function buildMetricRows(
  span: Span,
  counted: readonly DayCounts[],
  windowDays: number,
  at: number,
): MetricRow[] {
  const byDay = new Map(counted.map((counts) => [counts.day, counts]));
  const last = getLastMatureDay(windowDays, at);
  return listDays(span.from, span.to).map((day) => {
    const { numerator, denominator } = byDay.get(day) ?? { numerator: 0, denominator: 0 };
    const mature = day <= last;
    const suppressed = denominator < MIN_AUTHORS;
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

/**
 * Asserts that a key may decide about consent: it needs the scope `forum` or `research`. Errors:
 * `insufficient_scope`.
 */
export function assertMayConsent({ scopes }: Pick<AgentKey, 'scopes'>): void {
  if (!scopes.includes('forum') && !scopes.includes('research'))
    throw failInsufficientScope('forum');
}
