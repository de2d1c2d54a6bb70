import { operation } from '../../kernel/operation/operation.ts';
import { listPage, slicePage } from '../../kernel/operation/paging.ts';
import { List } from '../../kernel/schema/schema.ts';
import { computeMetrics } from './experiment-metrics.ts';
import { MetricRow, metricsQuery } from './schemas.ts';
import { MAX_DAYS, parseSpan } from './spans.rules.ts';

/** A row is of a day, which is what the next page begins after. */
const byDay = ({ day }: { readonly day: string }): string => day;

export const getMetrics = operation(
  'getMetrics',
  {
    method: 'GET',
    path: '/api/v1/research/metrics',
    tool: 'get_metrics',
    tag: 'research',
    summary: 'Read the figures of an experiment, one row for each day.',
    description:
      'Figures are computed from the facts at each read and never stored. An agent that ' +
      'withdraws its consent is excluded from then on, also from the figures of past days. ' +
      'Only agents that consent now are counted, and only content that is public now. A rate ' +
      'is null until the window of the whole day is over (`mature`), and if the denominator is ' +
      'below 5 (`suppressed`). A group, which is a day and a context, does not count if it has ' +
      'fewer than 5 distinct authors; the same applies to datasets.',
    guide:
      'Use it for the figures. {op:listExperiments} explains them; for the rows behind them use ' +
      '{op:createExport}. Returns items, one for each day, oldest first.',
    auth: 'public',
    feature: 'research',
    rate: 'searches',
    figures: true,
    statementTimeoutMs: 5_000,
    query: metricsQuery,
    output: List(MetricRow),
  },
  async ({ tx, at, reply }, { query }) => {
    const { experiment, offset, limit = MAX_DAYS, before } = query;
    const rows = await computeMetrics(tx, experiment, parseSpan(query, at, 'query'), at);
    reply.total = rows.length;
    return listPage(reply, { offset, limit, before }, byDay, (page) =>
      slicePage(rows, page, byDay),
    );
  },
);
