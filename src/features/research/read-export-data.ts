import type { Queryable } from '../../db/database.ts';
import { addDays } from '../../kernel/days.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { trackExport } from '../export/concurrent-exports.ts';
import { DATASET_FORMAT, type DatasetLine } from './dataset.schemas.ts';
import { serializeDataset } from './dataset-lines.ts';
import * as datasets from './datasets.store.ts';
import { definitions } from './experiments.ts';
import { createPseudonyms, type Pseudonyms } from './pseudonyms.ts';
import { assertOwnExport } from './research-export.ts';
import { type ExperimentId, MIN_AUTHORS } from './rules.ts';
import { exportId } from './schemas.ts';
import { findMatureSpan, getLastMatureDay, type Span } from './spans.rules.ts';
import * as research from './store.ts';

const NDJSON = 'application/x-ndjson';

/** Number of rows in memory at once. */
const BATCH_ROWS = 5_000;

/** Maximum number of days that one statement reads. */
const MAX_STRIDE_DAYS = 7;

const READ_TIMEOUT_MS = 5_000;

type ReadInTransaction = <Row>(work: (tx: Queryable) => Promise<Row[]>) => Promise<Row[]>;

/**
 * Yields the rows of a span in batches, one a statement, so that each is one turn. A batch may have
 * no rows. Each batch reflects the facts at the time of its read.
 */
async function* readRows(
  read: ReadInTransaction,
  experiment: ExperimentId,
  span: Span,
  secret: Buffer,
): AsyncGenerator<DatasetLine<'row'>[]> {
  const names: Pseudonyms = createPseudonyms(secret);
  let from = span.from;
  let place = '';
  let strideDays = MAX_STRIDE_DAYS;
  while (from <= span.to) {
    const last = addDays(from, strideDays - 1);
    const to = last < span.to ? last : span.to;
    const page = {
      minAuthors: MIN_AUTHORS,
      shuffle: names.shuffle,
      after: { day: from, place },
      limit: BATCH_ROWS,
    };
    const units = await read((tx) =>
      research.listUnits(tx, experiment, { from: page.after.day, to }, page),
    );
    yield units.map(({ day, context, authorId, value }) => ({
      day,
      context: names.nameContext(context),
      author: names.nameAuthor(authorId),
      value,
    }));
    const end = units.at(-1);
    if (end && units.length === BATCH_ROWS) {
      // The next statement counts this day again, so it reads no other day.
      from = end.day;
      place = end.place;
      strideDays = 1;
    } else {
      from = addDays(to, 1);
      place = '';
      strideDays = Math.min(MAX_STRIDE_DAYS, strideDays * 2);
    }
  }
}

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
