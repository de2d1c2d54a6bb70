import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { judges } from '../adjudication/setup.ts';
import { startApp } from '../../support/app.ts';
import {
  type Answer,
  factories,
  type Loose,
  type RequestOptions,
  together,
  until,
} from '../../support/factories.ts';
import { chance } from './ledger-model.ts';
import { folder, type Service, serve, urlOf } from '../../support/service.ts';
import { HOUR, RIGHT, TASKS, WRONG, works } from '../tasks/setup.ts';

/** Prepares what is due later; it looks after nothing by itself. */
const app = await startApp(TASKS, { jobsByHand: true });
const f = factories(app);
const [w, j] = [works(app, f), judges(f)];
const EACH = 9;
const PROCESSES = 3;

describe('several processes', { timeout: 120_000 }, () => {
  it('[offers.once] [tasks.once] [ledger.kill] settle all that is due at one moment once each, while clients race them and one is killed', async () => {
    const [owner, worker, late, voters] = [
      await w.holder(1000),
      await w.holder(),
      await w.holder(),
      await j.voters(3),
    ];
    const due = app.clock() + 7 * 24 * HOUR;
    const deadline = new Date(due).toISOString();
    const gifts: string[] = (
      await together(EACH, () => w.offer(owner, 7, { recipient: worker.id }))
    ).map(({ id }) => id);
    const fixed = await together(EACH, () => w.fixed(owner, { deadline, reward: 5 }));
    const fixedWork = await Promise.all(fixed.map((id) => w.taken(worker, id)));
    app.clock.advance(96 * HOUR);
    const judged = await together(EACH, () => w.task(owner, { deadline, reward: 3 }));
    const judgedWork = await Promise.all(judged.map((id) => w.taken(worker, id)));
    for (const [n, id] of judgedWork.entries()) {
      await w.submit(worker, id);
      const { caseId } = await w.assignment(null, id);
      // Upheld, rejected, left undecided: whatever the clients do, that is what must come of it.
      for (const voter of voters.slice(0, n % 3 === 2 ? 1 : 3))
        expect((await j.vote(voter, caseId, n % 3 ? 'rejected' : 'upheld')).status).toBe(200);
    }

    const DATABASE_URL = urlOf(app.app.env.db.connection as Parameters<typeof urlOf>[0]);
    // Seconds to start in, and to begin before it is due.
    const offset = Math.round((due - Date.now()) / 1000) - 5;
    const nodes: Service[] = await together(PROCESSES, () =>
      serve({ ...TASKS, DATABASE_URL, DATA_DIR: folder(), CLOCK_OFFSET_SECONDS: String(offset) }),
    );
    /** So many milliseconds before it is due. */
    const isNear = () => Date.now() + offset * 1000 >= due - 120;
    let isKilled = false;

    /** The same call with the same key, at one process after the other, until there is an answer that tells what became of it. */
    async function insist(
      nr: number,
      path: string,
      options: RequestOptions,
    ): Promise<Answer<Loose>> {
      const idem = randomUUID();
      for (let tries = nr; ; tries++) {
        const node = nodes[tries % (isKilled ? PROCESSES - 1 : PROCESSES)] as Service;
        const answer = await factories(node)
          .send('POST', `/api/v1/${path}`, { ...options, idem })
          .catch(() => undefined);
        if (answer && answer.status < 500 && answer.body.code !== 'idempotency_in_progress')
          return answer;
      }
    }
    const commands: { readonly path: string; readonly key: string; readonly body?: object }[] = [
      ...gifts.flatMap((id) => [
        { path: `offers/${id}/accept`, key: worker.key },
        { path: `offers/${id}/cancel`, key: owner.key },
      ]),
      ...fixed.flatMap((id, n) => [
        {
          path: `assignments/${fixedWork[n]}/submission`,
          key: worker.key,
          body: n % 2 ? RIGHT : WRONG,
        },
        { path: `assignments/${fixedWork[n]}/abandon`, key: worker.key },
        { path: `tasks/${id}/cancel`, key: owner.key },
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
    const below = chance(8);
    const drawn = commands
      .map((command) => ({ command, at: below(2 ** 31) }))
      .sort((a, b) => a.at - b.at);
    const succeeded = new Set<string>();
    const run = ({ command: { path, ...options } }: (typeof drawn)[0], nr: number) =>
      insist(nr, path, options).then(({ status, text }) => {
        expect([200, 404, 409], `${path}: ${text}`).toContain(status);
        if (status === 200) succeeded.add(path);
      });
    // A third before; the others around the very moment, one process dying.
    const some = Math.floor(drawn.length / 3);
    await Promise.all(drawn.slice(0, some).map(run));
    await until('it is nearly due', isNear);
    const racing = Promise.all(drawn.slice(some).map(run));
    isKilled = true;
    await nodes[PROCESSES - 1]?.end('SIGKILL');
    await racing;

    const read = (path: string, key: string) => f.ok('GET', `/api/v1/${path}`, { key });
    const offers = () => Promise.all(gifts.map((id) => read(`offers/${id}`, owner.key)));
    const tasks = (ids: readonly string[]) =>
      Promise.all(ids.map((id) => read(`tasks/${id}`, owner.key)));
    const isOver = ({ state, assignments }: Loose) =>
      state !== 'open' &&
      assignments.every((one: Loose) => !['assigned', 'submitted'].includes(one.state));
    await until('all is over', async () =>
      [...(await offers()), ...(await tasks([...fixed, ...judged]))].every((one) =>
        isOver({ assignments: [], ...one }),
      ),
    );

    for (const { id, state } of await offers()) {
      const answered = ['accept', 'cancel'].filter((step) => succeeded.has(`offers/${id}/${step}`));
      expect([answered, state]).toEqual(
        answered[0] === 'accept'
          ? [['accept'], 'accepted']
          : answered[0]
            ? [['cancel'], 'cancelled']
            : [[], 'expired'],
      );
    }
    for (const [n, task] of (await tasks(fixed)).entries()) {
      const own = task.assignments.find((one: Loose) => one.id === fixedWork[n]);
      const [submitted, abandoned] = ['submission', 'abandon'].map((step) =>
        succeeded.has(`assignments/${fixedWork[n]}/${step}`),
      );
      expect([submitted && abandoned, own.state]).toEqual([
        false,
        submitted ? (n % 2 ? 'paid' : 'refused') : abandoned ? 'abandoned' : 'expired',
      ]);
      expect(task.state).toBe(succeeded.has(`tasks/${task.id}/cancel`) ? 'cancelled' : 'closed');
    }
    for (const [n, task] of (await tasks(judged)).entries()) {
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
    expect([await w.earned(owner), await w.earned(worker), await w.earned(late)]).toEqual([
      { available: 1000 - paid - 3 * (EACH / 3), reserved: 3 * (EACH / 3) },
      { available: paid, reserved: 0 },
      { available: 0, reserved: 0 },
    ]);
    for (const node of nodes.slice(0, -1)) expect(await node.end('SIGTERM')).toBe(0);
  });
});
