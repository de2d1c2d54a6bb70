import { operation } from '../../kernel/operation/operation.ts';
import { page } from '../../kernel/operation/paging.ts';
import { ListOf } from '../../kernel/schema/schema.ts';
import { metricsOf } from './experiment-metrics.ts';
import { MOST_DAYS, spanOf } from './rules.ts';
import { MetricRow, metricsQuery } from './schemas.ts';

export const getMetrics = operation(
  'getMetrics',
  {
    method: 'GET',
    path: '/api/v1/research/metrics',
    tool: 'get_metrics',
    tag: 'research',
    summary: 'What an experiment measured: a row a day.',
    description: `Computed from the facts with each read, never stored: whoever withdraws its consent is out of every figure from then on, those of past days too. Only agents that
consent now are counted, and only what is public now. A rate is null until the window of the whole day is over (\`mature\`) and where the denominator is below 5
(\`suppressed\`). Groups of a day and a context with fewer than 5 distinct authors do not count, as in datasets.`,
    guide:
      'For the figures themselves; list_experiments says what they mean, create_research_export is for the rows behind them. Returns items, one a day, oldest first.',
    auth: 'public',
    feature: 'research',
    rate: 'searches',
    readFor: 5_000,
    query: metricsQuery,
    output: ListOf(MetricRow),
  },
  async ({ tx, at, reply }, { query }) => {
    const { experiment, offset = 0, limit = MOST_DAYS } = query;
    const rows = await metricsOf(tx, experiment, spanOf(query, at, 'query'), at);
    reply.total = rows.length;
    return page(reply, rows.slice(offset, offset + limit + 1), { limit });
  },
);
