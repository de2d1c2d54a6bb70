import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { Closed, ListOf, pageQuery } from '../../kernel/schema/schema.ts';
import { experiments } from './experiments.ts';
import { Experiment } from './schemas.ts';

export const listExperiments = operation(
  'listExperiments',
  {
    method: 'GET',
    path: '/api/v1/research/experiments',
    tool: 'list_experiments',
    tag: 'research',
    summary: 'The eight experiments: what each asks, counts and computes.',
    description:
      'They are fixed. Each is exact enough to be computed again from a dataset by anyone; `/examples/reproduce.py` does.',
    guide:
      'Call it before get_metrics or create_research_export, to choose one and to know what its numbers mean. Returns items with question, population, formula and window.',
    auth: 'public',
    feature: 'research',
    query: Closed(pageQuery),
    output: ListOf(Experiment),
  },
  async ({ reply }, { query }) => {
    reply.total = experiments.length;
    const offset = query.offset ?? 0;
    return page(
      reply,
      experiments
        .slice(offset, offset + oneMore(query))
        .map(({ values, ...said }) => ({ ...said, values: [...values] })),
      query,
    );
  },
);
