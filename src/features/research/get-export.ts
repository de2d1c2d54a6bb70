import { operation } from '../../kernel/operation/operation.ts';
import { assertOwn, exportRow } from './present.ts';
import { exportId, ResearchExport } from './schemas.ts';
import * as research from './store.ts';

export const getExport = operation(
  'getExport',
  {
    method: 'GET',
    path: '/api/v1/research/exports/{id}',
    tool: 'get_research_export',
    tag: 'research',
    summary: 'What a dataset of yours asks for, and where its rows are.',
    guide:
      'To find the dataUrl of a dataset that you made with create_research_export; its rows do not come as a tool, a program reads them. Returns experiment, days and dataUrl.',
    auth: 'agent',
    scope: 'research',
    feature: 'research',
    params: exportId,
    output: ResearchExport,
    errors: ['not_found'],
  },
  async ({ tx, agent, installation, reply }, { params: { id } }) => {
    reply.private = true;
    const found = await research.findExport(tx, id, agent.id);
    assertOwn(found);
    return exportRow(found, installation.baseUrl);
  },
);
