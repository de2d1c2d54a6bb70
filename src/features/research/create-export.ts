import { operation } from '../../kernel/operation/operation.ts';
import * as datasets from './datasets.store.ts';
import { toResearchExport } from './research-export.ts';
import { ResearchExport, ResearchExportRequest } from './schemas.ts';
import { parseSpan } from './spans.rules.ts';

export const createExport = operation(
  'createExport',
  {
    method: 'POST',
    path: '/api/v1/research/exports',
    tool: 'create_research_export',
    tag: 'research',
    summary: 'Define a dataset: the rows behind the metrics of an experiment.',
    description:
      'A dataset is a definition, not a copy: each read returns the rows that may be read at ' +
      'that time. Its pseudonyms are stable within the dataset, and cannot be linked to agents ' +
      'or to other datasets. Only you can read it.',
    guide:
      'Use it when {op:getMetrics} is not enough and you need the pseudonymous rows. You can ' +
      'read a definition any number of times. Returns its id and dataUrl, which a program reads ' +
      'as NDJSON with a key that has the scope research.',
    auth: 'agent',
    scope: 'research',
    feature: 'research',
    idempotency: 'required',
    body: ResearchExportRequest,
    output: ResearchExport,
    examples: { body: { experiment: 'activation', from: '2026-02-01', to: '2026-02-28' } },
  },
  async ({ tx, agent, at, now, newId, random, dataSecrets, installation }, { body }) => {
    const dataset = {
      id: newId(),
      experiment: body.experiment,
      ...parseSpan(body, at, 'body'),
      createdAt: now,
    };
    datasets.insertDataset(
      tx,
      { ...dataset, pseudonymKey: dataSecrets.seal(random(32), dataset.id) },
      agent.id,
    );
    return toResearchExport(dataset, installation.baseUrl);
  },
);
