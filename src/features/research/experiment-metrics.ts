import type { Queryable } from '../../db/database.ts';
import { definitions } from './experiments.ts';
import {
  type ExperimentId,
  FEWEST,
  type MetricRow,
  matureSpan,
  metricRows,
  type Span,
} from './rules.ts';
import * as research from './store.ts';

/** The figures of an experiment, a row a day: of its mature days as the facts are now. */
export async function metricsOf(
  db: Queryable,
  experiment: ExperimentId,
  span: Span,
  at: number,
): Promise<MetricRow[]> {
  const { windowDays } = definitions[experiment];
  const mature = matureSpan(span, windowDays, at);
  const counted = mature ? await research.count(db, experiment, mature, FEWEST) : [];
  return metricRows(span, counted, windowDays, at);
}
