import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import {
  type Answer,
  factories,
  type Json,
  type RequestOptions,
  runConcurrently,
  waitUntil,
} from '../../support/factories.ts';
import {
  createFolder,
  type ServiceProcess,
  startService,
  toDatabaseUrl,
} from '../../support/service.ts';
import { adjudicationHelpers } from '../adjudication/setup.ts';
import { HOUR, rightWork, taskHelpers, taskSettings, wrongWork } from '../tasks/setup.ts';
import { createRandom } from './ledger-model.ts';

/** Prepares what becomes due later. This node settles nothing by itself. */
const app = await startApp(taskSettings, { manualJobs: true });
const f = factories(app);
const w = taskHelpers(app, f);
const j = adjudicationHelpers(f);
const EACH = 9;
const PROCESSES = 3;

describe('several processes', () => {
  it('[offers.once] [tasks.once] [ledger.kill] settle everything due once each', async () => {
    const owner = await w.createHolder(1000);
    const worker = await w.createHolder();
    const late = await w.createHolder();
    const voters = await j.createVoters(3);
    const due = app.clock() + 7 * 24 * HOUR;
    const deadline = new Date(due).toISOString();
    const gifts: string[] = (
      await runConcurrently(EACH, () => w.createOffer(owner, 7, { recipient: worker.id }))
    ).map(({ id }) => id);
    const fixed = await runConcurrently(EACH, () =>
      w.createFixtureTask(owner, { deadline, reward: 5 }),
    );
    const fixedWork = await Promise.all(fixed.map((id) => w.createAssignment(worker, id)));
    app.clock.advance(96 * HOUR);
    const judged = await runConcurrently(EACH, () => w.createTask(owner, { deadline, reward: 3 }));
    const judgedWork = await Promise.all(judged.map((id) => w.createAssignment(worker, id)));
    for (const [n, id] of judgedWork.entries()) {
      await w.submitWork(worker, id);
      const { caseId } = await w.getAssignment(null, id);
      // The case is upheld, rejected or left undecided, and that alone determines the result,
      // whatever clients do.
      for (const voter of voters.slice(0, n % 3 === 2 ? 1 : 3))
        expect((await j.castVote(voter, caseId, n % 3 ? 'rejected' : 'upheld')).status).toBe(200);
    }

    const DATABASE_URL = toDatabaseUrl(
      app.app.env.db.connection as Parameters<typeof toDatabaseUrl>[0],
    );
    // The processes have five seconds to start and to begin before the deadline.
    const offset = Math.round((due - Date.now()) / 1000) - 5;
    const nodes: ServiceProcess[] = await runConcurrently(PROCESSES, () =>
      startService({
        ...taskSettings,
        DATABASE_URL,
        DATA_DIR: createFolder(),
        CLOCK_OFFSET_SECONDS: String(offset),
      }),
    );
    /** Returns whether the deadline is at most 120 ms away or over. */
    const isNear = () => Date.now() + offset * 1000 >= due - 120;
    let isKilled = false;

    /**
     * Repeats the call with the same key, on one process after the other, until an answer says how
     * it ended.
     */
    async function sendUntilAnswered(
      nr: number,
      path: string,
      options: RequestOptions,
    ): Promise<Answer<Json>> {
      const idem = randomUUID();
      for (let tries = nr; ; tries++) {
        const node = nodes[tries % (isKilled ? PROCESSES - 1 : PROCESSES)] as ServiceProcess;
        const answer = await factories(node)
          .send('POST', `/api/v1/${path}`, { ...options, idem })
          .catch(() => undefined);
        if (answer && answer.status < 500 && answer.body.code !== 'idempotency_in_progress')
          return answer;
      }
    }
    const commands: { readonly path: string; readonly key: string; readonly body?: object }[] = [
      ...gifts.flatMap((id) => [
        { path: `offers/${id}/accept`, key: worker.key, body: { expectedVersion: 1 } },
        { path: `offers/${id}/cancel`, key: owner.key, body: { expectedVersion: 1 } },
      ]),
      ...fixed.flatMap((id, n) => [
        {
          path: `assignments/${fixedWork[n]}/submission`,
          key: worker.key,
          body: { ...(n % 2 ? rightWork : wrongWork), expectedVersion: 1 },
        },
        {
          path: `assignments/${fixedWork[n]}/abandon`,
          key: worker.key,
          body: { expectedVersion: 1 },
        },
        // Version 2 has an assignment, and version 3 none again if that was abandoned.
        { path: `tasks/${id}/cancel`, key: owner.key, body: { expectedVersion: 3 } },
        { path: `tasks/${id}/assignments`, key: late.key },
      ]),
      ...judgedWork.flatMap((id, n) => [
        {
          path: `assignments/${id}/evidence`,
          key: owner.key,
          body: { expectedVersion: 2, kind: 'statement', text: 'Look again.' },
        },
        { path: `tasks/${judged[n]}/assignments`, key: late.key },
      ]),
    ];
    const below = createRandom(8);
    const drawn = commands
      .map((command) => ({ command, at: below(2 ** 31) }))
      .sort((a, b) => a.at - b.at);
    const succeeded = new Set<string>();
    const run = ({ command: { path, ...options } }: (typeof drawn)[0], nr: number) =>
      sendUntilAnswered(nr, path, options).then(({ status, text }) => {
        expect([200, 404, 409], `${path}: ${text}`).toContain(status);
        if (status === 200) succeeded.add(path);
      });
    // One third of the calls come before the deadline. The others come around it, while one process
    // dies.
    const some = Math.floor(drawn.length / 3);
    await Promise.all(drawn.slice(0, some).map(run));
    await waitUntil('it is nearly due', isNear);
    const racing = Promise.all(drawn.slice(some).map(run));
    isKilled = true;
    await nodes[PROCESSES - 1]?.end('SIGKILL');
    await racing;

    const read = (path: string, key: string) => f.ok('GET', `/api/v1/${path}`, { key });
    const readOffers = () => Promise.all(gifts.map((id) => read(`offers/${id}`, owner.key)));
    const readTasks = (ids: readonly string[]) =>
      Promise.all(ids.map((id) => read(`tasks/${id}`, owner.key)));
    const isOver = ({ state, assignments }: Json) =>
      state !== 'open' &&
      assignments.every((one: Json) => !['assigned', 'submitted'].includes(one.state));
    await waitUntil('all is over', async () =>
      [...(await readOffers()), ...(await readTasks([...fixed, ...judged]))].every((one) =>
        isOver({ assignments: [], ...one }),
      ),
    );

    for (const { id, state } of await readOffers()) {
      const answered = ['accept', 'cancel'].filter((step) => succeeded.has(`offers/${id}/${step}`));
      expect({ answered, state }).toEqual(
        answered[0] === 'accept'
          ? { answered: ['accept'], state: 'accepted' }
          : answered[0]
            ? { answered: ['cancel'], state: 'cancelled' }
            : { answered: [], state: 'expired' },
      );
    }
    for (const [n, task] of (await readTasks(fixed)).entries()) {
      const own = task.assignments.find((one: Json) => one.id === fixedWork[n]);
      const [submitted, abandoned] = ['submission', 'abandon'].map((step) =>
        succeeded.has(`assignments/${fixedWork[n]}/${step}`),
      );
      expect({ both: submitted && abandoned, state: own.state }).toEqual({
        both: false,
        state: submitted ? (n % 2 ? 'paid' : 'refused') : abandoned ? 'abandoned' : 'expired',
      });
      expect(task.state).toBe(succeeded.has(`tasks/${task.id}/cancel`) ? 'cancelled' : 'closed');
    }
    for (const [n, task] of (await readTasks(judged)).entries()) {
      expect(task.assignments[0]).toMatchObject({
        id: judgedWork[n],
        state: ['paid', 'refused', 'unresolved'][n % 3],
      });
      expect(task.state).toBe(n % 3 === 2 ? 'full' : 'closed');
    }
    const accepted = gifts.filter((id) => succeeded.has(`offers/${id}/accept`)).length;
    const right = fixedWork.filter(
      (id, n) => n % 2 > 0 && succeeded.has(`assignments/${id}/submission`),
    ).length;
    const paid = 7 * accepted + 5 * right + 3 * (EACH / 3);
    expect({
      owner: await w.getEarned(owner),
      worker: await w.getEarned(worker),
      late: await w.getEarned(late),
    }).toEqual({
      owner: { available: 1000 - paid - 3 * (EACH / 3), reserved: 3 * (EACH / 3) },
      worker: { available: paid, reserved: 0 },
      late: { available: 0, reserved: 0 },
    });
    for (const node of nodes.slice(0, -1)) expect(await node.end('SIGTERM')).toBe(0);
  });
});
