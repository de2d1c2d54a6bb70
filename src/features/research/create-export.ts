import { operation } from '../../kernel/operation/operation.ts';
import { exportRow } from './present.ts';
import { spanOf } from './rules.ts';
import { ResearchExport, ResearchExportRequest } from './schemas.ts';
import * as research from './store.ts';

export const createExport = operation(
  'createExport',
  {
    method: 'POST',
    path: '/api/v1/research/exports',
    tool: 'create_research_export',
    tag: 'research',
    summary: 'Define a dataset: the rows behind the metrics of an experiment.',
    description: `A dataset is a definition, not a copy: each read of it finds what may be read then. Its pseudonyms are stable within it and lead neither to agents nor to other datasets.
Only you can read it.`,
    guide:
      'When get_metrics is not enough and you need the pseudonymous rows; one definition can be read any number of times. Returns its id and dataUrl, which a program reads as NDJSON with a key of the scope research.',
    auth: 'agent',
    scope: 'research',
    feature: 'research',
    idempotency: 'required',
    body: ResearchExportRequest,
    output: ResearchExport,
    examples: { body: { experiment: 'activation', from: '2026-02-01', to: '2026-02-28' } },
  },
  async ({ tx, agent, at, now, newId, random, safe, installation }, { body }) => {
    const made = {
      id: newId(),
      experiment: body.experiment,
      ...spanOf(body, at, 'body'),
      createdAt: now,
    };
    research.insertExport(tx, { ...made, pseudonymKey: safe.seal(random(32), made.id) }, agent.id);
    return exportRow(made, installation.baseUrl);
  },
);
