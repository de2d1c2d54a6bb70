import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import * as datasets from './datasets.store.ts';
import { toResearchExport } from './research-export.ts';
import { ResearchExport } from './schemas.ts';

export const listExports = operation(
  'listExports',
  {
    method: 'GET',
    path: '/api/v1/research/exports',
    tool: 'list_research_exports',
    tag: 'research',
    summary: 'List your datasets, newest first.',
    guide:
      'Use it to find a dataset that you created with {op:createExport}. Returns items, the ' +
      'definition and dataUrl of each; {op:getExport} has a single one.',
    auth: 'agent',
    scope: 'research',
    feature: 'research',
    query: Closed(listQuery),
    output: List(ResearchExport),
  },
  async ({ tx, agent, installation, reply }, { query }) => {
    reply.private = true;
    return listPage(reply, query, byId, async (page) =>
      (await datasets.listDatasets(tx, agent.id, page)).map((dataset) =>
        toResearchExport(dataset, installation.baseUrl),
      ),
    );
  },
);
