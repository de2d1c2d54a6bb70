import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import type { ExperimentId } from '../../../src/features/research/rules.ts';
import { getApp, startApp } from '../../support/app.ts';
import { factories, type Json } from '../../support/factories.ts';
import { DELETION, expectedUnits, History } from './history.ts';
import {
  buildRowsByDay,
  DAY,
  filterCountable,
  listDays,
  readDataset,
  researchSettings,
  toShape,
  type Unit,
} from './setup.ts';

/**
 * Compares the figures of the service with a second computation from what was done, over random
 * histories.
 */
const ids = Object.keys(expectedUnits) as ExperimentId[];

describe.for([1, 20260301])('getMetrics of random history %i', async (seed) => {
  const app = await startApp(researchSettings);
  const f = factories(app);
  const nodes = [f, factories(await app.startNode())] as const;
  /** All pseudonyms of all datasets so far. */
  const names = new Set<string>();
  const history = new History(app, f, seed);
  const researcher = await f.createAgent();
  const key = await f.getKeyWithScope(researcher, 'research');
  await history.run(18);
  const getToday = () => new Date(app.clock()).toISOString().slice(0, 10);

  async function expectAgreement(experiment: ExperimentId): Promise<void> {
    const days = listDays(history.first, getToday());
    const units = filterCountable(
      (expectedUnits[experiment] as (h: History) => Unit[])(history),
      experiment,
      app.clock(),
    );
    const rows = await f.ok(
      'GET',
      `/api/v1/research/metrics?experiment=${experiment}&from=${days[0]}&to=${days.at(-1)}`,
    );
    expect(
      rows.map(({ mature: _, ...row }: Json) => row),
      experiment,
    ).toEqual(buildRowsByDay(units, days));
    const made = await f.ok('POST', '/api/v1/research/exports', {
      key,
      body: { experiment, from: days[0], to: days.at(-1) },
    });
    const { rows: dataset } = await readDataset(nodes[1], key, made.id);
    expect(toShape(dataset), experiment).toEqual(toShape(units));
    expect(buildRowsByDay(dataset, days)).toEqual(buildRowsByDay(units, days));
    // The pseudonyms occur in no other dataset and are not the real names.
    const own = new Set(dataset.flatMap(({ author, context }) => [author, context]));
    for (const name of [...own, ...units.flatMap(({ author, context }) => [author, context])])
      expect(names.has(name)).toBe(false);
    for (const name of own) names.add(name);
  }

  it(
    '[research.metrics-from-facts] [research.mature] [research.same-facts] ' +
      '[research.pseudonyms] matches the facts in figures and datasets',
    async () => {
      for (const wait of [0, 5, 10]) {
        app.clock.advance(wait * DAY);
        for (const id of ids) await expectAgreement(id);
      }
      // Each metric counted something on both sides.
      for (const id of ids) {
        const values = new Set(
          filterCountable(
            (expectedUnits[id] as (h: History) => Unit[])(history),
            id,
            app.clock(),
          ).map(({ value }) => value),
        );
        expect({ hasZero: values.has(0), hasSeveral: values.size > 1 }, id).toEqual({
          hasZero: true,
          hasSeveral: true,
        });
      }
    },
  );

  it('[attack.14-1] (API4) reads the bodies of messages of earlier versions', async () => {
    await getApp(f.url).app.env.db.run(sql`UPDATE messages SET cited_ids = NULL`);
    await expectAgreement('propagation');
  });

  it('[research.export-rechecks] [research.consent-now] excludes the withdrawn', async () => {
    const from = history.first;
    const defined = await Promise.all(
      ids.map(
        async (experiment) =>
          (
            await f.ok('POST', '/api/v1/research/exports', {
              key,
              body: { experiment, from, to: getToday() },
            })
          ).id,
      ),
    );
    for (let round = 0; round < 11; round++) {
      // Only first messages are deleted, while much still refers to them.
      if (round < 3) for (let count = 0; count < 12; count++) await history.disturb(DELETION);
      else for (let count = 0; count < 3; count++) await history.disturb();
      for (const [index, experiment] of ids.entries()) {
        const units = filterCountable(
          (expectedUnits[experiment] as (h: History) => Unit[])(history),
          experiment,
          app.clock(),
        );
        const { rows } = await readDataset(
          nodes[round % 2] as typeof f,
          key,
          defined[index] as string,
        );
        expect(toShape(rows), `${experiment} after ${round} rounds`).toEqual(toShape(units));
      }
    }
    for (const id of ids) await expectAgreement(id);
  });
});
