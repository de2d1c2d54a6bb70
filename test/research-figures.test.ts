import { describe, expect, it } from 'vitest';
import type { ExperimentId } from '../src/features/research/rules.ts';
import { startApp } from './app.ts';
import { factories, type Loose } from './factories.ts';
import { countable, DAY, DELETION, daysBetween, History, RESEARCH, readDataset, recomputed, rowsByDay, type Unit } from './research.ts';

/** What the service says, against a second computation from what was done, over histories that chance made. */
const ids = Object.keys(recomputed) as ExperimentId[];

/** A dataset with the names of the history: pseudonyms lead nowhere, so rows are compared without their authors. */
const bare = (rows: readonly Pick<Unit, 'day' | 'value'>[]) => rows.map(({ day, value }) => `${day} ${value}`).sort();

describe.for([1, 20260301])('a history of seed %i', async (seed) => {
  const app = await startApp(RESEARCH);
  const f = factories(app);
  const history = new History(app, f, seed);
  const researcher = await f.agent();
  const key = await f.keyWith(researcher, 'research');
  await history.run(18);
  const last = () => new Date(app.clock()).toISOString().slice(0, 10);

  async function agrees(experiment: ExperimentId): Promise<void> {
    const days = daysBetween(history.first, last());
    const units = countable((recomputed[experiment] as (h: History) => Unit[])(history), experiment, app.clock());
    const rows = await f.ok('GET', `/api/v1/research/metrics?experiment=${experiment}&from=${days[0]}&to=${days.at(-1)}`);
    expect(
      rows.map(({ mature: _, ...row }: Loose) => row),
      experiment,
    ).toEqual(rowsByDay(units, days));
    const made = await f.ok('POST', '/api/v1/research/exports', { key, body: { experiment, from: days[0], to: days.at(-1) } });
    const dataset = await readDataset(f, key, made.id);
    expect(bare(dataset.rows), experiment).toEqual(bare(units));
    expect(rowsByDay(dataset.rows, days)).toEqual(rowsByDay(units, days));
    // As many authors and contexts, each under one name that is none of theirs.
    for (const member of ['author', 'context'] as const) {
      expect(new Set(dataset.rows.map((row) => row[member])).size).toBe(new Set(units.map((one) => one[member])).size);
    }
  }

  it('[research.metrics-from-facts] [research.mature] [research.same-facts] figures and datasets are those of the facts', async () => {
    for (const wait of [0, 5, 10]) {
      app.clock.advance(wait * DAY);
      for (const id of ids) await agrees(id);
    }
    // Each of them counted something, on both sides.
    for (const id of ids) {
      const values = new Set(countable((recomputed[id] as (h: History) => Unit[])(history), id, app.clock()).map(({ value }) => value));
      expect([values.has(0), values.size > 1], id).toEqual([true, true]);
    }
  });

  it('[research.export-rechecks] [research.consent-now] whoever withdraws, is blocked or deleted is in none of them any more', async () => {
    const from = history.first;
    const defined = await Promise.all(
      ids.map(async (experiment) => (await f.ok('POST', '/api/v1/research/exports', { key, body: { experiment, from, to: last() } })).id),
    );
    for (let round = 0; round < 11; round++) {
      // First messages alone, while there is still much that refers to them.
      if (round < 3) for (let count = 0; count < 12; count++) await history.disturb(DELETION);
      else for (let count = 0; count < 2; count++) await history.disturb();
      for (const [index, experiment] of ids.entries()) {
        const units = countable((recomputed[experiment] as (h: History) => Unit[])(history), experiment, app.clock());
        expect(bare((await readDataset(f, key, defined[index] as string)).rows), `${experiment} after ${round} rounds`).toEqual(bare(units));
      }
    }
    for (const id of ids) await agrees(id);
  });
});
