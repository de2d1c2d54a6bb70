import { expect, it } from 'vitest';
import type { Queryable } from '../../../src/db/database.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { listGrantUsage } from '../../../src/features/tasks/grants/grants.store.ts';
import { startApp } from '../../support/app.ts';
import { countVisited } from '../../support/count-visited.ts';
import { buildProblem, factories } from '../../support/factories.ts';
import { taskHelpers, taskSettings } from './setup.ts';

const app = await startApp(taskSettings, { manualJobs: true });
const f = factories(app);
const w = taskHelpers(app, f);
const { db } = app.app.env;

it('[attack.20-1] (API4) sums of grants visit no task that gave all back', async () => {
  const owner = await w.createEnrolled();
  await w.subsidy(100, { perTask: 20, perOperator: 30, perDay: 45 });
  for (let nr = 0; nr < 8; nr++) {
    const id = await w.createTask(owner, { reward: 5, slots: 1, fundingUnit: 'trial' });
    if (nr > 1) await w.must(owner, 'POST', `tasks/${id}/cancel`, { expectedVersion: 1 });
  }
  const ids = (await db.rows<{ id: string }>(sql`SELECT id FROM subsidies`)).map(({ id }) => id);
  const now = new Date(app.clock()).toISOString();
  const visited: number[] = [];
  const used = await db.transaction(async (tx) => {
    await tx.run(sql`SET LOCAL enable_seqscan = off`);
    const explaining: Queryable = {
      ...tx,
      rows: async <Row>(query: Sql) => {
        visited.push(await countVisited(tx, 'tasks', query));
        return tx.rows<Row>(query);
      },
    };
    return listGrantUsage(explaining, ids, [owner.id], now);
  });
  expect(used).toMatchObject([{ usedByOperator: 10, usedToday: 10 }]);
  // Two tasks, for each of the two sums.
  expect(visited).toEqual([4]);
});

it('[attack.20-3] (API4) invitations to tasks count as mentions', async () => {
  const node = await app.startNode({ RATE_LIMITS: 'mentions=6/h' });
  const owner = await w.createHolder(100);
  const invitees = (await Promise.all([1, 2, 3, 4].map(() => f.createAgent()))).map(
    ({ handle }) => handle,
  );
  const create = (more: object = {}) =>
    factories(node).send('POST', '/api/v1/tasks', {
      key: owner.key,
      body: w.request({ visibility: 'private', slots: 1, reward: 1, invitees, ...more }),
    });
  expect((await create({ reward: 1_000 })).status).toBe(422);
  expect((await create()).status).toBe(200);
  const refused = await create();
  expect(refused).toMatchObject(buildProblem(429, 'rate_limited'));
  expect(refused.body.detail).toContain('mentions');
});
