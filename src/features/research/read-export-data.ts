import { content } from '../../kernel/operation/content-operation.ts';
import { trackExport } from '../export/concurrent-exports.ts';
import { DATASET_FORMAT, type DatasetLine } from './dataset.schemas.ts';
import { serializeDataset } from './dataset-lines.ts';
import { readRows } from './dataset-rows.ts';
import * as datasets from './datasets.store.ts';
import { definitions } from './experiments.ts';
import { assertOwnExport } from './research-export.ts';
import { MIN_AUTHORS } from './rules.ts';
import { exportId } from './schemas.ts';
import { findMatureSpan, getLastMatureDay } from './spans.rules.ts';

const NDJSON = 'application/x-ndjson';
const READ_TIMEOUT_MS = 5_000;

export const readExportData = content(
  'readExportData',
  {
    method: 'GET',
    path: '/api/v1/research/exports/{id}/data',
    tag: 'research',
    summary: 'Read the rows of your dataset, as far as they may be read now.',
    description:
      'NDJSON: one line of type `export`, one line of type `row` for each unit, and one line of ' +
      'type `end` that counts and hashes everything before it. A response without the last ' +
      'line is incomplete. Consent, blocks, deletions and visibility are checked again for ' +
      'each batch of rows before it is sent. docs/research.md describes the format; ' +
      '`/examples/reproduce.py metric` reads it.',
    auth: 'agent',
    scope: 'research',
    feature: 'research',
    params: exportId,
    media: NDJSON,
    download: true,
    figures: true,
    errors: ['not_found'],
  },
  async (
    { tx, agent, at, now, signal, dataSecrets, reauthorize, runLongRead },
    { params: { id } },
  ) => {
    const found = await datasets.findDataset(tx, id, agent.id);
    assertOwnExport(found);
    const { experiment, from, to } = found;
    const secret = dataSecrets.open(found.pseudonymKey, id);
    trackExport(agent.id, signal());
    const { windowDays } = definitions[experiment];
    const mature = findMatureSpan(found, windowDays, at);
    const header: DatasetLine<'export'> = {
      format: DATASET_FORMAT,
      id,
      experiment,
      from,
      to,
      asOf: now,
      matureTo: getLastMatureDay(windowDays, at),
      fewestAuthors: MIN_AUTHORS,
    };
    async function* readBatches() {
      if (mature)
        yield* readRows((work) => runLongRead(READ_TIMEOUT_MS, work), experiment, mature, secret);
    }
    const open = () =>
      serializeDataset({ header, batches: readBatches(), assertMayContinue: reauthorize });
    return { mediaType: NDJSON, private: true, download: `research-${id}.ndjson`, open };
  },
);
