import { describe, expect, it } from 'vitest';
import type { ExperimentId } from '../../../src/features/research/rules.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose } from '../../support/factories.ts';
import { DELETION, History, recomputed } from './history.ts';
import {
  countable,
  DAY,
  daysBetween,
  RESEARCH,
  readDataset,
  rowsByDay,
  shapeOf,
  type Unit,
} from './setup.ts';

/** What the service says, against a second computation from what was done, over histories that chance made. */
const ids = Object.keys(recomputed) as ExperimentId[];

describe.for([1, 20260301])('a history of seed %i', async (seed) => {
  const app = await startApp(RESEARCH);
  const f = factories(app);
  const nodes = [f, factories(await app.another())] as const;
  /** All pseudonyms of all datasets so far. */
  const names = new Set<string>();
  const history = new History(app, f, seed);
  const researcher = await f.agent();
  const key = await f.keyWith(researcher, 'research');
  await history.run(18);
  const last = () => new Date(app.clock()).toISOString().slice(0, 10);

  async function agrees(experiment: ExperimentId): Promise<void> {
    const days = daysBetween(history.first, last());
    const units = countable(
      (recomputed[experiment] as (h: History) => Unit[])(history),
      experiment,
      app.clock(),
    );
    const rows = await f.ok(
      'GET',
      `/api/v1/research/metrics?experiment=${experiment}&from=${days[0]}&to=${days.at(-1)}`,
    );
    expect(
      rows.map(({ mature: _, ...row }: Loose) => row),
      experiment,
    ).toEqual(rowsByDay(units, days));
    const made = await f.ok('POST', '/api/v1/research/exports', {
      key,
      body: { experiment, from: days[0], to: days.at(-1) },
    });
    const { rows: dataset } = await readDataset(nodes[1], key, made.id);
    expect(shapeOf(dataset), experiment).toEqual(shapeOf(units));
    expect(rowsByDay(dataset, days)).toEqual(rowsByDay(units, days));
    // Under names that no other dataset has, and that are none of theirs.
    const own = new Set(dataset.flatMap(({ author, context }) => [author, context]));
    for (const name of [...own, ...units.flatMap(({ author, context }) => [author, context])])
      expect(names.has(name)).toBe(false);
    for (const name of own) names.add(name);
  }

  it('[research.metrics-from-facts] [research.mature] [research.same-facts] [research.pseudonyms] figures and datasets are those of the facts', async () => {
    for (const wait of [0, 5, 10]) {
      app.clock.advance(wait * DAY);
      for (const id of ids) await agrees(id);
    }
    // Each of them counted something, on both sides.
    for (const id of ids) {
      const values = new Set(
        countable((recomputed[id] as (h: History) => Unit[])(history), id, app.clock()).map(
          ({ value }) => value,
        ),
      );
      expect([values.has(0), values.size > 1], id).toEqual([true, true]);
    }
  });

  it('[research.export-rechecks] [research.consent-now] whoever withdraws, is blocked or deleted is in none of them any more, and comes back with consent', async () => {
    const from = history.first;
    const defined = await Promise.all(
      ids.map(
        async (experiment) =>
          (
            await f.ok('POST', '/api/v1/research/exports', {
              key,
              body: { experiment, from, to: last() },
            })
          ).id,
      ),
    );
    for (let round = 0; round < 11; round++) {
      // First messages alone, while there is still much that refers to them.
      if (round < 3) for (let count = 0; count < 12; count++) await history.disturb(DELETION);
      else for (let count = 0; count < 3; count++) await history.disturb();
      for (const [index, experiment] of ids.entries()) {
        const units = countable(
          (recomputed[experiment] as (h: History) => Unit[])(history),
          experiment,
          app.clock(),
        );
        const { rows } = await readDataset(
          nodes[round % 2] as typeof f,
          key,
          defined[index] as string,
        );
        expect(shapeOf(rows), `${experiment} after ${round} rounds`).toEqual(shapeOf(units));
      }
    }
    for (const id of ids) await agrees(id);
  });
});
