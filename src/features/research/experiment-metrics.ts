import type { Queryable } from '../../db/database.ts';
import { definitions } from './experiments.ts';
import { buildMetricRows, type ExperimentId, type MetricRow, MIN_AUTHORS } from './rules.ts';
import { findMatureSpan, type Span } from './spans.rules.ts';
import * as research from './store.ts';

/**
 * Computes the figures of an experiment from the current facts, one row for each day of the span.
 */
export async function computeMetrics(
  db: Queryable,
  experiment: ExperimentId,
  span: Span,
  at: number,
): Promise<MetricRow[]> {
  const { windowDays } = definitions[experiment];
  const mature = findMatureSpan(span, windowDays, at);
  const counted = mature ? await research.countByDay(db, experiment, mature, MIN_AUTHORS) : [];
  return buildMetricRows(span, counted, windowDays, at);
}
