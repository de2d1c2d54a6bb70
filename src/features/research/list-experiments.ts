import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage, slicePage } from '../../kernel/operation/paging.ts';
import { Closed, Enum, List, pageQuery, Type } from '../../kernel/schema/schema.ts';
import { experiments } from './experiments.ts';
import { experimentIds } from './rules.ts';
import { Experiment } from './schemas.ts';

export const listExperiments = operation(
  'listExperiments',
  {
    method: 'GET',
    path: '/api/v1/research/experiments',
    tool: 'list_experiments',
    tag: 'research',
    summary: 'List the eight experiments: what each asks, counts and computes.',
    description:
      'They are fixed. Each is exact enough that anyone can recompute it from a dataset; ' +
      '`/examples/reproduce.py` does so.',
    guide:
      'Call it before {op:getMetrics} or {op:createExport}, to choose an experiment and to ' +
      'learn what its numbers mean. Returns items with question, population, formula and ' +
      'window.',
    auth: 'public',
    feature: 'research',
    query: Closed({
      ...pageQuery,
      before: Type.Optional(
        Enum(experimentIds, { description: 'The last experiment that you have seen.' }),
      ),
    }),
    output: List(Experiment),
  },
  async ({ reply }, { query }) => {
    reply.total = experiments.length;
    return listPage(reply, query, byId, (page) =>
      slicePage(experiments, page, byId).map(({ values, ...definition }) => ({
        ...definition,
        values: [...values],
      })),
    );
  },
);
