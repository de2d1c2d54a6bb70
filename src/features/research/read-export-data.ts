import type { Queryable } from '../../db/database.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { dayPlus } from '../../kernel/days.ts';
import { countExport } from '../export/open-exports.ts';
import { definitions } from './experiments.ts';
import { datasetBytes } from './lines.ts';
import { assertOwn } from './present.ts';
import { type Pseudonyms, pseudonyms } from './pseudonyms.ts';
import { type ExperimentId, FEWEST, lastMatureDay, matureSpan, type Span } from './rules.ts';
import { exportId, FORMAT, type LineOf } from './schemas.ts';
import * as research from './store.ts';

const NDJSON = 'application/x-ndjson';
/** Rows in memory at once. */
const BATCH = 5_000;
/** Days that one statement looks at, at most. */
const STRIDE = 7;
const READ_MS = 15_000;

type Read = <Row>(work: (tx: Queryable) => Promise<Row[]>) => Promise<Row[]>;

/** Rows of some days, a batch at a time, each as everything is when it is asked for. */
async function* rowsOf(
  read: Read,
  experiment: ExperimentId,
  span: Span,
  secret: Buffer,
): AsyncGenerator<LineOf<'row'>[]> {
  const names: Pseudonyms = pseudonyms(secret);
  let [from, place, stride] = [span.from, '', STRIDE];
  while (from <= span.to) {
    const last = dayPlus(from, stride - 1);
    const to = last < span.to ? last : span.to;
    const page = {
      fewest: FEWEST,
      shuffle: names.shuffle,
      after: { day: from, place },
      limit: BATCH,
    };
    const units = await read((tx) =>
      research.listUnits(tx, experiment, { from: page.after.day, to }, page),
    );
    if (units.length > 0)
      yield units.map(({ day, context, authorId, value }) => ({
        day,
        context: names.context(context),
        author: names.author(authorId),
        value,
      }));
    const end = units.at(-1);
    // What did not fit is counted again for the next batch: no more than the day on which it ended.
    if (end && units.length === BATCH) [from, place, stride] = [end.day, end.place, 1];
    else [from, place, stride] = [dayPlus(to, 1), '', Math.min(STRIDE, stride * 2)];
  }
}

export const readExportData = content(
  'readExportData',
  {
    method: 'GET',
    path: '/api/v1/research/exports/{id}/data',
    tag: 'research',
    summary: 'The rows of a dataset of yours, as they may be read now.',
    description: `NDJSON: a line of type \`export\`, a line of type \`row\` for each unit, and one of type \`end\` that counts and hashes all before it. An answer without that line is not whole.
Consent, blocks, deletions and visibility are looked up anew for each batch of rows before it leaves. The format is described in docs/research.md; \`/examples/reproduce.py metric\` reads it.`,
    auth: 'agent',
    scope: 'research',
    feature: 'research',
    params: exportId,
    media: NDJSON,
    download: true,
    errors: ['not_found'],
  },
  async ({ tx, agent, at, now, signal, safe, agentNow, readLong }, { params: { id } }) => {
    const found = await research.findExport(tx, id, agent.id);
    assertOwn(found);
    const { experiment, from, to } = found;
    const secret = safe.open(found.pseudonymKey, id);
    countExport(agent.id, signal);
    const { windowDays } = definitions[experiment];
    const mature = matureSpan(found, windowDays, at);
    const header: LineOf<'export'> = {
      format: FORMAT,
      id,
      experiment,
      from,
      to,
      asOf: now,
      matureTo: lastMatureDay(windowDays, at),
      fewestAuthors: FEWEST,
    };
    async function* batches() {
      if (mature) yield* rowsOf((work) => readLong(READ_MS, work), experiment, mature, secret);
    }
    const open = () => datasetBytes({ header, batches: batches(), mayGoOn: agentNow });
    return { mediaType: NDJSON, private: true, download: `research-${id}.ndjson`, open };
  },
);
