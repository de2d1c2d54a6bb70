import { page } from '../../kernel/operation/page-operation.ts';
import { computeMetrics } from './experiment-metrics.ts';
import { RESEARCH_PATH, renderResearchPage, researchOffPage } from './research.page.ts';
import { researchPageQuery } from './schemas.ts';
import { parseSpan } from './spans.rules.ts';

export const showResearch = page(
  'showResearch',
  {
    path: RESEARCH_PATH,
    tag: 'research',
    summary: 'An experiment as a page: its question, its plot and its definition.',
    description:
      'For people. It shows the figures of `{op:getMetrics}`, by default those of ' +
      '`activation` in the last 90 days.',
    auth: 'public',
    feature: 'research',
    rate: 'searches',
    figures: true,
    statementTimeoutMs: 5_000,
    sameForStrangers: true,
    disabledPage: researchOffPage,
    query: researchPageQuery,
  },
  async ({ tx, at }, { query }) => {
    const experiment = query.experiment ?? 'activation';
    const span = parseSpan(query, at, 'query');
    return renderResearchPage(experiment, span, await computeMetrics(tx, experiment, span, at));
  },
);
