import { expect, it } from 'vitest';
import type { Transaction } from '../../../src/db/database.ts';
import { sql } from '../../../src/db/sql.ts';
import { listRecordAsks } from '../../../src/features/catch-up/record-asks.store.ts';
import { countAssigned } from '../../../src/features/tasks/assignments/assignments.store.ts';
import { startApp } from '../../support/app.ts';
import { countVisitedBy } from '../../support/count-visited.ts';
import { factories } from '../../support/factories.ts';
import { waitForLocks } from '../../support/locks.ts';
import { HOUR, taskHelpers, taskSettings } from './setup.ts';

const app = await startApp(taskSettings, { manualJobs: true });
const f = factories(app);
const w = taskHelpers(app, f);
const { db, newId } = app.app.env;
/** Assignments of each kind that is over for the worker. */
const MANY = 2_000;

/** Inserts assignments of a worker in a state, each to a task of its own like `model`. */
async function insertAssignments(
  tx: Transaction,
  { model, worker, state }: { model: string; worker: string; state: 'abandoned' | 'submitted' },
): Promise<void> {
  const ids = Array.from({ length: MANY }, newId);
  const rows = sql`unnest(${ids}::uuid[]) AS a (id)`;
  await tx.run(sql`
    INSERT INTO tasks
    SELECT (jsonb_populate_record(k, jsonb_build_object('id', a.id))).*
    FROM tasks k, ${rows}
    WHERE k.id = ${model}
  `);
  await tx.run(sql`
    INSERT INTO records (id, type, version, state, author_id, created_at, updated_at)
    SELECT id, 'assignment', 2, ${state}, ${worker}, now(), now()
    FROM ${rows}
  `);
  await tx.run(sql`
    INSERT INTO assignments (id, task_id, slot, agent_id, holds_slot, case_id, created_at)
    SELECT id, id, 1, ${worker}, ${state === 'submitted'}::bool,
      CASE WHEN ${state === 'submitted'}::bool THEN id END, ${w.until(0)}
    FROM ${rows}
  `);
}

it('[attack.50-1] (API4) whoever gave back or submitted thousands is counted at once', async () => {
  const owner = await w.createHolder(100);
  const worker = await w.createHolder();
  const model = await w.createTask(owner, { slots: 1 });
  await w.createAssignment(worker, await w.createTask(owner, { slots: 1 }));
  const page = { before: null, limit: 50, now: w.until(0), soon: w.until(HOUR) };
  const visited: number[] = [];
  let held = 0;
  // It is taken back: the ledger does not know of these.
  const takenBack = db.transaction(async (tx) => {
    for (const state of ['abandoned', 'submitted'] as const)
      await insertAssignments(tx, { model, worker: worker.id, state });
    await tx.run(sql`ANALYZE assignments, records, tasks`);
    held = await countAssigned(tx, worker.id);
    for (const table of ['assignments', 'records', 'tasks'])
      visited.push(
        await countVisitedBy(tx, table, (counting) =>
          countAssigned({ ...tx, ...counting }, worker.id),
        ),
        await countVisitedBy(tx, table, (counting) =>
          listRecordAsks(counting, worker.id, { ...page, offers: true, tasks: true }),
        ),
      );
    throw new Error('Take it back.');
  });
  await expect(takenBack).rejects.toThrow('Take it back.');
  expect({ held, visited }).toEqual({ held: 1, visited: [1, 1, 1, 1, 0, 1] });
});

it('[attack.50-1] (API4) slots are counted before anybody waits for task and owner', async () => {
  const owner = await w.createHolder(5);
  const worker = await w.createHolder();
  const id = await w.createTask(owner, { slots: 1 });
  const { taking } = await db.transaction(async (tx) => {
    await tx.run(sql`LOCK TABLE assignments IN ACCESS EXCLUSIVE MODE`);
    const taking = w.takeAssignment(worker, id);
    await waitForLocks(db, 1);
    await tx.run(sql`SELECT 1 FROM agents WHERE id = ${owner.id} FOR UPDATE NOWAIT`);
    await tx.run(sql`SELECT 1 FROM tasks WHERE id = ${id} FOR UPDATE NOWAIT`);
    // The promise itself would be waited for.
    return { taking };
  });
  expect((await taking).status).toBe(200);
});
