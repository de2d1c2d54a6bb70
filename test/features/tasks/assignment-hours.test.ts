import { describe, expect, it } from 'vitest';
import { expireDueAssignment } from '../../../src/features/tasks/expire-tasks.job.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';
import { HOUR, rightWork, taskHelpers, taskSettings } from './setup.ts';

const app = await startApp(taskSettings, { manualJobs: true });
const other = await app.startNode();
const f = factories(app);
const w = taskHelpers(app, f);
const buildBalance = (available: number, reserved = 0) => ({ available, reserved });
const DAY = 24 * HOUR;

async function expireAll(node: typeof app): Promise<void> {
  while (await expireDueAssignment(node.app.env));
}

describe('createTask', () => {
  it('[tasks.deadline-limit] createTask takes a deadline at most 90 days ahead', async () => {
    const owner = await w.createHolder(20);
    const before = await w.listStoredRows();
    for (const late of [90 * DAY + 1, 9000 * 365 * DAY].map((ahead) =>
      new Date(Math.min(app.clock() + ahead, Date.UTC(9998, 0, 1))).toISOString(),
    ))
      expect(await w.send(owner, 'POST', 'tasks', w.request({ deadline: late }))).toMatchObject(
        buildProblem(400, 'invalid_request', {
          errors: [{ pointer: '/body/deadline', detail: expect.stringContaining('90 days') }],
        }),
      );
    for (const assignmentHours of [0, -1, 721, 1.5, '24'])
      expect(await w.send(owner, 'POST', 'tasks', w.request({ assignmentHours }))).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    expect(await w.listStoredRows()).toEqual(before);
    const id = await w.createTask(owner, { deadline: w.until(90 * DAY) });
    expect(await w.getTask(null, id)).toMatchObject({ assignmentHours: 168 });
    const hours = await w.createTask(owner, { assignmentHours: 720 });
    expect(await w.getTask(null, hours)).toMatchObject({ assignmentHours: 720 });
  });
});

describe('submitWork', () => {
  it('[assignments.hours] takeAssignment gives a slot for a time, then it is free', async () => {
    const owner = await w.createHolder(5);
    const squatter = await w.createHolder();
    const late = await w.createHolder();
    const worker = await w.createHolder();
    const id = await w.createFixtureTask(owner, {
      slots: 1,
      deadline: w.until(60 * DAY),
      assignmentHours: 24,
    });
    const taken = await w.createAssignment(squatter, id);
    expect(await w.getAssignment(null, taken)).toMatchObject({
      submitBy: w.until(DAY),
      deadline: w.until(60 * DAY),
    });
    expect(await w.must(squatter, 'GET', 'me/assignments')).toMatchObject([
      { id: taken, submitBy: w.until(DAY) },
    ]);
    app.clock.advance(DAY - 1);
    await Promise.all([expireAll(app), expireAll(other)]);
    expect(await w.takeAssignment(late, id)).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'full' }),
    );
    app.clock.advance(1);
    // No job has run, and yet it is too late.
    for (const step of [
      () => w.submitWork(squatter, taken),
      () => w.abandonAssignment(squatter, taken),
    ])
      expect(await step()).toMatchObject(buildProblem(409, 'state_conflict', { state: 'expired' }));
    await Promise.all([expireAll(app), expireAll(other), expireAll(app)]);
    expect(await w.getAssignment(null, taken)).toMatchObject({ state: 'expired', version: 2 });
    expect(await w.getTask(null, id)).toMatchObject({
      state: 'open',
      freeSlots: 1,
      settledSlots: 0,
      assignments: [{ id: taken, state: 'expired' }],
    });
    // The units stay reserved for the slot, which others can take.
    expect(await w.getEarned(owner)).toEqual(buildBalance(0, 5));
    expect(await w.takeAssignment(squatter, id)).toMatchObject(
      buildProblem(409, 'already_exists', { existingId: taken }),
    );
    expect((await w.submitWork(worker, await w.createAssignment(worker, id))).body).toMatchObject({
      state: 'paid',
    });
    expect({ owner: await w.getEarned(owner), worker: await w.getEarned(worker) }).toEqual({
      owner: buildBalance(0),
      worker: buildBalance(5),
    });
  });

  it('[assignments.hours] submitWork in time stops the time, whatever decides', async () => {
    const owner = await w.createHolder(20);
    const worker = await w.createHolder();
    const long = { slots: 1, deadline: w.until(30 * DAY), assignmentHours: 1 };
    const community = await w.createAssignment(worker, await w.createTask(owner, long));
    const fixture = await w.createAssignment(worker, await w.createFixtureTask(owner, long));
    app.clock.advance(HOUR - 1);
    expect((await w.submitWork(worker, community)).body).toMatchObject({ state: 'submitted' });
    expect((await w.submitWork(worker, fixture, rightWork)).body).toMatchObject({ state: 'paid' });
    app.clock.advance(HOUR);
    await expireAll(app);
    expect((await w.getAssignment(null, community)).state).toBe('submitted');
    expect((await w.getAssignment(null, fixture)).state).toBe('paid');
  });

  it('[assignments.hours] cancelTask gives the owner back what a squatter held', async () => {
    const owner = await w.createHolder(10);
    const id = await w.createTask(owner, { deadline: w.until(90 * DAY), assignmentHours: 720 });
    for (let slot = 0; slot < 2; slot++) await w.createAssignment(await w.createHolder(), id);
    app.clock.advance(720 * HOUR);
    await app.app.jobs.runDue();
    expect((await w.cancelTask(owner, id)).body).toMatchObject({ state: 'cancelled' });
    expect(await w.getEarned(owner)).toEqual(buildBalance(10));
  });

  it('[assignments.hours] expires an assignment or takes its work, never both', async () => {
    const owner = await w.createHolder(100);
    const worker = await w.createHolder();
    const long = { slots: 1, deadline: w.until(30 * DAY), assignmentHours: 1 };
    const ids = await Promise.all([1, 2, 3, 4, 5, 6].map(() => w.createFixtureTask(owner, long)));
    const taken = await Promise.all(ids.map((id) => w.createAssignment(worker, id)));
    app.clock.advance(HOUR - 1);
    const submitting = Promise.all(taken.map((id) => w.submitWork(worker, id)));
    app.clock.advance(1);
    const [answers] = await Promise.all([submitting, expireAll(app), expireAll(other)]);
    await expireAll(app);
    const tasks = await Promise.all(ids.map((id) => w.getTask(null, id)));
    for (const [index, { status }] of answers.entries())
      expect({
        status,
        task: tasks[index]?.state,
        assignment: tasks[index]?.assignments.map(({ state }: Json) => state),
      }).toEqual(
        status === 200
          ? { status: 200, task: 'closed', assignment: ['paid'] }
          : { status: 409, task: 'open', assignment: ['expired'] },
      );
  });
});
