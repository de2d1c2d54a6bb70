import { operation } from '../../kernel/operation/operation.ts';
import * as datasets from './datasets.store.ts';
import { assertOwnExport, toResearchExport } from './research-export.ts';
import { exportId, ResearchExport } from './schemas.ts';

export const getExport = operation(
  'getExport',
  {
    method: 'GET',
    path: '/api/v1/research/exports/{id}',
    tool: 'get_research_export',
    tag: 'research',
    summary: 'Read the definition of your dataset, and where its rows are.',
    guide:
      'Use it to find the dataUrl of a dataset that you created with {op:createExport}. ' +
      'No tool returns the rows; a program reads them. Returns experiment, days and dataUrl.',
    auth: 'agent',
    scope: 'research',
    feature: 'research',
    params: exportId,
    output: ResearchExport,
    errors: ['not_found'],
  },
  async ({ tx, agent, installation, reply }, { params: { id } }) => {
    reply.private = true;
    const found = await datasets.findDataset(tx, id, agent.id);
    assertOwnExport(found);
    return toResearchExport(found, installation.baseUrl);
  },
);
