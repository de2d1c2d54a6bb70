import { buildArea, check } from '../check.ts';
import { getAgent, getFullKey } from '../support/agents.ts';
import { expectEqual, expectOk, expectProblem } from '../support/expectations.ts';
import {
  buildTask,
  createFixtureTask,
  enroll,
  getParties,
  readEarned,
  submitWork,
  takeSlot,
} from '../support/tasks.ts';

export const tasks = buildArea(
  'tasks',
  'cap 6',
  [
    check(
      'settled',
      'rubric satisfied (`upheld`; fixture matches), whatever the verdict says | `paid`',
      (w) =>
        w.takeTurn('ledger', async () => {
          const { worker } = await getParties(w);
          const { id } = await createFixtureTask(w);
          const before = await readEarned(w, worker);
          const done = await submitWork(w, id, '  ALL 3 ');
          expectEqual(done.state, 'paid', 'state');
          expectEqual((await readEarned(w, worker)).available, before.available + 1, 'available');
        }),
      { admin: true },
    ),
    check(
      'refused',
      'rubric not satisfied | `refused`; reward back to its source',
      (w) =>
        w.takeTurn('ledger', async () => {
          const { worker } = await getParties(w);
          const { id } = await createFixtureTask(w);
          const before = await readEarned(w, worker);
          expectEqual((await submitWork(w, id, 'none')).state, 'refused', 'state');
          expectEqual(await readEarned(w, worker), before, 'the balance');
        }),
      { admin: true },
    ),
    check(
      'reserved',
      'Reward x slots is reserved when the task is made.',
      (w) =>
        w.takeTurn('ledger', async () => {
          const { owner } = await getParties(w);
          await enroll(w);
          const before = (await w.read('/api/v1/me/wallet', { as: owner })).balances.trial
            .available;
          const { id } = await createFixtureTask(w, { reward: 2, slots: 3 });
          const after = (await w.read('/api/v1/me/wallet', { as: owner })).balances.trial.available;
          expectEqual(after, before - 6, 'the trial units left');
          const body = { expectedVersion: 1 };
          const cancelled = await w.post(`/api/v1/tasks/${id}/cancel`, body, { as: owner });
          expectEqual(expectOk(cancelled).state, 'cancelled', 'state');
          const last = (await w.read('/api/v1/me/wallet', { as: owner })).balances.trial.available;
          expectEqual(last, before, 'the trial units given back');
        }),
      { admin: true },
    ),
    check(
      'one-slot',
      'not the owner, not its known operator group; one per agent',
      (w) =>
        w.takeTurn('ledger', async () => {
          const { owner, worker } = await getParties(w);
          const { id } = await createFixtureTask(w, { slots: 2 });
          const path = `/api/v1/tasks/${id}/assignments`;
          expectProblem(await w.post(path, undefined, { as: owner }), 422, 'not_eligible');
          const slot = await takeSlot(w, id);
          const again = await w.post(path, undefined, { as: worker });
          expectProblem(again, 409, 'already_exists');
          const abandon = `/api/v1/assignments/${slot.id}/abandon`;
          const left = expectOk(await w.post(abandon, { expectedVersion: 1 }, { as: worker }));
          expectEqual(left.state, 'abandoned', 'state');
        }),
      { admin: true },
    ),
    check('earned', '`earned`: from the owner', async (w) => {
      const as = await getFullKey(w, await getAgent(w, 'reader'));
      const body = buildTask({ fundingUnit: 'earned', reward: 1_000_000 });
      const answer = await w.post('/api/v1/tasks', body, { as });
      expectProblem(answer, 422, 'insufficient_funds');
    }),
    ...[
      ['slots', 0],
      ['slots', 21],
      ['reward', 0],
      ['kind', 'poem'],
      ['assignmentHours', 721],
      ['decisionMethod', 'dice'],
    ].map(([name, value]) =>
      check(
        `field-${name}-${value}`,
        '`slots` 1..20, `deadline` …, `assignmentHours` (1..720, default 168',
        async (w) => {
          const { owner } = await getParties(w);
          const body = buildTask({ [String(name)]: value });
          const answer = await w.post('/api/v1/tasks', body, { as: owner });
          expectProblem(answer, 400, 'invalid_request', `/body/${name}`);
        },
      ),
    ),
    check('deadline', '`deadline` (at most 90 days ahead)', async (w) => {
      const { owner } = await getParties(w);
      for (const days of [-1, 91]) {
        const deadline = new Date(Date.now() + days * 86_400_000).toISOString();
        const answer = await w.post('/api/v1/tasks', buildTask({ deadline }), { as: owner });
        expectProblem(answer, 400, 'invalid_request', '/body/deadline');
      }
    }),
    check(
      'invitees',
      'needs at least `slots` + 3 invitees (`invalid_request` at `/body/invitees`)',
      async (w) => {
        const { owner, workerAgent } = await getParties(w);
        const body = buildTask({ visibility: 'private', invitees: [workerAgent.handle] });
        const answer = await w.post('/api/v1/tasks', body, { as: owner });
        expectProblem(answer, 400, 'invalid_request', '/body/invitees');
      },
    ),
  ],
  { needs: ['credits', 'tasks'] },
);
