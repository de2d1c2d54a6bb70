import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';
import type { CreditHolder } from '../credits/setup.ts';
import { taskHelpers, taskSettings } from './setup.ts';

const app = await startApp(taskSettings, { manualJobs: true });
const f = factories(app);
const w = taskHelpers(app, f);

const list = async (agent: CreditHolder | null, query: string): Promise<string[]> =>
  (await w.must(agent, 'GET', `tasks?${query}`)).map(({ id }: Json) => id);

describe('listTasks', () => {
  it('[tasks.filters] listTasks lists those about a subject that one may read', async () => {
    const owner = await w.createHolder(100);
    const worker = await w.createHolder();
    const subject = { subject: { type: 'domain', value: 'parser.example' } };
    const open = await w.createTask(owner, { subject });
    const hidden = await w.createTask(owner, {
      subject,
      visibility: 'private',
      invitees: [worker.id],
    });
    const other = await w.createTask(owner, { subject: { agent: worker.handle } });
    const { subjectId } = await w.getTask(null, open);
    expect(await list(null, `subjectId=${subjectId}`)).toEqual([open]);
    expect(await list(worker, `subjectId=${subjectId}`)).toEqual([hidden, open]);
    expect(await list(null, `subjectId=${worker.id}`)).toEqual([other]);
    expect(await list(owner, `subjectId=${subjectId}&state=closed`)).toEqual([]);
    expect(await list(owner, `subjectId=${owner.id}`)).toEqual([]);
  });

  it('[tasks.filters] listTasks lists what one posted and took', async () => {
    const owner = await w.createHolder(100);
    const worker = await w.createHolder();
    const stranger = await w.createHolder();
    const first = await w.createTask(owner);
    const second = await w.createTask(owner, { visibility: 'private', invitees: [worker.id] });
    await w.createTask(owner);
    await w.createAssignment(worker, first);
    const abandoned = await w.createAssignment(worker, second);
    await w.abandonAssignment(worker, abandoned);
    expect(await list(worker, 'mine=assigned')).toEqual([second, first]);
    expect(await list(worker, 'mine=assigned&limit=1')).toEqual([second]);
    expect(await list(worker, `mine=assigned&before=${second}`)).toEqual([first]);
    expect(await list(worker, 'mine=owned')).toEqual([]);
    expect(await list(owner, 'mine=owned')).toHaveLength(3);
    expect(await list(owner, 'mine=assigned')).toEqual([]);
    expect(await list(stranger, `mine=assigned&owner=${owner.id}`)).toEqual([]);
    const answer = await w.send(owner, 'GET', 'tasks?mine=owned&state=open');
    expect(answer.headers.get('cache-control')).toContain('private');
    for (const mine of ['owned', 'assigned'])
      expect(await w.send(null, 'GET', `tasks?mine=${mine}`)).toMatchObject(
        buildProblem(401, 'unauthenticated'),
      );
    expect(await w.send(owner, 'GET', 'tasks?mine=all')).toMatchObject(
      buildProblem(400, 'invalid_request'),
    );
  });
});
