import { expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories } from '../../support/factories.ts';
import { rightWork, taskHelpers, taskSettings } from './setup.ts';

const app = await startApp(taskSettings, { manualJobs: true });
const w = taskHelpers(app, factories(app));

it('[credits.versions] cancelTask and every other transition need the version', async () => {
  const owner = await w.createHolder(20);
  const worker = await w.createHolder();
  const task = await w.createTask(owner);
  const assignment = await w.createAssignment(worker, task);
  const { id: accepted } = await w.createOffer(owner, 1, { recipient: worker.id });
  const { id: cancelled } = await w.createOffer(owner, 1);
  expect((await w.getTask(null, task)).version).toBe(2);
  const steps = [
    [worker, `offers/${accepted}/decline`, 1, {}],
    [worker, `offers/${accepted}/accept`, 1, {}],
    [owner, `offers/${cancelled}/cancel`, 1, {}],
    [worker, `assignments/${assignment}/submission`, 1, rightWork],
    [worker, `assignments/${assignment}/abandon`, 1, {}],
    [owner, `tasks/${task}/cancel`, 2, {}],
  ] as const;
  const before = await w.listStoredRows();
  for (const [agent, path, currentVersion, body] of steps) {
    for (const none of [body, { ...body, expectedVersion: null }])
      expect(await w.send(agent, 'POST', path, none), path).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    expect(await w.send(agent, 'POST', path, { ...body, expectedVersion: 7 }), path).toMatchObject(
      buildProblem(409, 'version_conflict', { currentVersion }),
    );
  }
  expect(await w.listStoredRows()).toEqual(before);
  expect((await w.abandonAssignment(worker, assignment)).status).toBe(200);
  // The task has changed since it was read.
  expect(await w.cancelTask(owner, task, 2)).toMatchObject(
    buildProblem(409, 'version_conflict', { currentVersion: 3 }),
  );
  expect((await w.cancelTask(owner, task, 3)).body).toMatchObject({ state: 'cancelled' });
});
