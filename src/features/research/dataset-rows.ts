import type { Queryable } from '../../db/database.ts';
import { addDays } from '../../kernel/days.ts';
import { isTimeout } from '../../kernel/pipeline/reads/is-timeout.ts';
import type { DatasetLine } from './dataset.schemas.ts';
import { createPseudonyms, type Pseudonyms } from './pseudonyms.ts';
import { type ExperimentId, MIN_AUTHORS } from './rules.ts';
import type { Span } from './spans.rules.ts';
import * as research from './store.ts';

/** Number of rows in memory at once. */
const BATCH_ROWS = 5_000;

/** Maximum number of days that one statement reads. */
const MAX_STRIDE_DAYS = 7;

type ReadInTransaction = <Row>(work: (tx: Queryable) => Promise<Row[]>) => Promise<Row[]>;

/**
 * Yields the rows of a span in batches, one a statement, so that each is one turn. A batch may have
 * no rows. A statement that takes too long is repeated for fewer days. Each batch reflects the
 * facts at the time of its read.
 */
export async function* readRows(
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
    const days = { from: page.after.day, to };
    const units = await read((tx) => research.listUnits(tx, experiment, days, page)).catch(
      (error: unknown) => {
        if (strideDays > 1 && isTimeout(error)) return null;
        throw error;
      },
    );
    if (units === null) {
      strideDays = Math.floor(strideDays / 2);
      continue;
    }
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
