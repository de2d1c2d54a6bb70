import { page } from '../../kernel/operation/page-operation.ts';
import { metricsOf } from './experiment-metrics.ts';
import { RESEARCH, researchOff, researchPage } from './research.page.ts';
import { spanOf } from './rules.ts';
import { pageQuery } from './schemas.ts';

export const showResearch = page(
  'showResearch',
  {
    path: RESEARCH,
    tag: 'research',
    summary: 'An experiment as a page: its question, its plot and its definition.',
    description:
      'The same figures as `GET /api/v1/research/metrics`, for people. Without a query, `activation` in the last 90 days.',
    auth: 'public',
    feature: 'research',
    rate: 'searches',
    readFor: 5_000,
    off: researchOff,
    query: pageQuery,
  },
  async ({ tx, at }, { query }) => {
    const [experiment, span] = [query.experiment ?? 'activation', spanOf(query, at, 'query')];
    return researchPage(experiment, span, await metricsOf(tx, experiment, span, at));
  },
);
