import { buildArea, check } from '../check.ts';
import { getAgent, getFullKey } from '../support/agents.ts';
import type { Json } from '../support/exchange.ts';
import {
  expectEqual,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import {
  buildTask,
  createFixtureTask,
  earnUnits,
  enroll,
  getParties,
  submitWork,
  takeSlot,
} from '../support/tasks.ts';
import type { World } from '../support/world.ts';

const BALANCES = '`balances` = `{ "trial": { "available", "reserved" }, "earned": { ... } }`';

/** Checks that move units of the same agents take turns, so that balances can be compared. */
function takeTurn<T>(w: World, work: () => Promise<T>): Promise<T> {
  const { made } = w.ground;
  const before = made.get('ledger turn') ?? Promise.resolve();
  const turn = before.then(work, work);
  made.set(
    'ledger turn',
    turn.catch(() => {}),
  );
  return turn;
}

const readEarned = async (w: World, as: string) =>
  (await w.read('/api/v1/me/wallet', { as })).balances.earned;

/** Offers a unit of the worker; the recipient is the task's owner. */
async function makeGift(w: World, more: object = {}) {
  await earnUnits(w);
  const { worker, owner, ownerAgent } = await getParties(w);
  const body = { kind: 'gift', amount: 1, ...more };
  const answer = await w.post('/api/v1/offers', body, { as: worker });
  return { offer: expectOk(answer), sender: worker, recipient: owner, handle: ownerAgent.handle };
}

const step = (w: World, id: string, name: string, as: string, body: object) =>
  w.post(`/api/v1/offers/${id}/${name}`, body, { as });

export const credits = buildArea(
  'credits',
  'cap 6',
  [
    check('enrollment', '100 trial units, once per agent', async (w) =>
      takeTurn(w, async () => {
        await enroll(w);
        const { owner } = await getParties(w);
        const entries: Json[] = await w.read('/api/v1/me/wallet/entries?limit=100', { as: owner });
        const first = entries.filter(({ kind }) => kind === 'credits.enrolled');
        expectEqual(
          first.map(({ unit, amount }) => [unit, amount]),
          [['trial', 100]],
          'it',
        );
        const again = await w.post('/api/v1/enrollment', undefined, { as: owner });
        expectProblem(again, 409, 'already_exists');
      }),
    ),
    check('wallet', BALANCES, async (w) => {
      const { owner } = await getParties(w);
      const { balances, entries } = await w.read('/api/v1/me/wallet', { as: owner });
      for (const unit of ['trial', 'earned'])
        expectMembers(balances[unit], ['available', 'reserved']);
      expectThat(Array.isArray(entries), 'expected entries');
    }),
    check(
      'entries',
      '`entries` (`id`, `transactionId`, `kind`, `unit`, `amount` signed, …',
      async (w) => {
        await enroll(w);
        const { owner } = await getParties(w);
        const [entry] = await w.read('/api/v1/me/wallet/entries?limit=1', { as: owner });
        const names = 'id transactionId kind unit amount balanceAfter reference createdAt';
        expectMembers(entry, names.split(' '));
      },
    ),
    check(
      'scope',
      'An old forum key cannot spend credits',
      async (w) => {
        const as = await getAgent(w, 'owner');
        expectProblem(await w.get('/api/v1/me/wallet', { as }), 403, 'insufficient_scope');
      },
      { source: 'spec: Authentication 3' },
    ),
    check(
      'subsidies',
      'lists public finite subsidy grants; wallet balances stay private',
      async (w) => {
        const answer = await w.get('/api/v1/subsidies');
        expectThat(Array.isArray(expectOk(answer)), 'expected a list', answer);
      },
      { source: 'spec: Endpoints' },
    ),
    check(
      'inactive',
      'capability_not_active',
      async (w) => {
        // The stranger activates nothing, and its key has no scope of credits either.
        const as = await getAgent(w, 'stranger');
        const answer = await w.post('/api/v1/me/keys', { scopes: ['credits'] }, { as });
        expectEqual(
          expectProblem(answer, 403, 'capability_not_active').capability,
          'credits',
          'it',
        );
      },
      { source: 'core 2' },
    ),
  ],
  { needs: ['credits'] },
);

export const offers = buildArea(
  'offers',
  'cap 6',
  [
    check('trial', 'Trial units cannot be offered, gifted or transferred.', async (w) => {
      await enroll(w);
      // The reader has no earned units at all.
      const as = await getFullKey(w, await getAgent(w, 'reader'));
      const enrolled = await w.post('/api/v1/enrollment', undefined, { as });
      // An agent of --agent-key may have enrolled before.
      if (enrolled.json?.code !== 'already_exists') expectOk(enrolled);
      const answer = await w.post('/api/v1/offers', { kind: 'gift', amount: 1 }, { as });
      expectProblem(answer, 422, 'insufficient_funds');
    }),
    ...[0, -1, 1.5, '1'].map((amount) =>
      check(
        `amount-${String(amount).replace(/\W/g, '-')}${typeof amount === 'string' ? 's' : ''}`,
        'Accounts hold integer units',
        async (w) => {
          const { worker } = await getParties(w);
          const answer = await w.post('/api/v1/offers', { kind: 'gift', amount }, { as: worker });
          expectProblem(answer, 400, 'invalid_request', '/body/amount');
        },
      ),
    ),
    check(
      'reserved',
      'create: available earned units >= amount | `reserved`',
      (w) =>
        takeTurn(w, async () => {
          const { offer, sender } = await makeGift(w);
          expectEqual(offer.state, 'reserved', 'state');
          const { reserved, available } = await readEarned(w, sender);
          const cancelled = expectOk(
            await step(w, offer.id, 'cancel', sender, { expectedVersion: 1 }),
          );
          expectEqual(cancelled.state, 'cancelled', 'state');
          const after = await readEarned(w, sender);
          expectEqual(
            after,
            { available: available + 1, reserved: reserved - 1 },
            'the balance after it',
          );
        }),
      { admin: true },
    ),
    check(
      'accepted',
      'that recipient accepts | `accepted`; paid',
      (w) =>
        takeTurn(w, async () => {
          const { offer, sender, recipient, handle } = await makeGift(w);
          const before = await readEarned(w, recipient);
          const confirm = { recipient: handle, expectedVersion: 1 };
          const confirmed = expectOk(await step(w, offer.id, 'recipient', sender, confirm));
          expectEqual([confirmed.state, confirmed.version], ['confirmed', 2], 'the offer');
          const accept = { expectedVersion: 2 };
          const accepted = expectOk(await step(w, offer.id, 'accept', recipient, accept));
          expectEqual(accepted.state, 'accepted', 'state');
          expectEqual(
            (await readEarned(w, recipient)).available,
            before.available + 1,
            'available',
          );
          const again = await step(w, offer.id, 'accept', recipient, { expectedVersion: 3 });
          expectProblem(again, 409, 'state_conflict');
        }),
      { admin: true },
    ),
    check(
      'declined',
      'recipient declines | `reserved`',
      (w) =>
        takeTurn(w, async () => {
          const { offer, sender, recipient, handle } = await makeGift(w);
          const confirm = { recipient: handle, expectedVersion: 1 };
          expectOk(await step(w, offer.id, 'recipient', sender, confirm));
          const declined = expectOk(
            await step(w, offer.id, 'decline', recipient, { expectedVersion: 2 }),
          );
          expectEqual(declined.state, 'reserved', 'state');
          expectOk(await step(w, offer.id, 'cancel', sender, { expectedVersion: 3 }));
        }),
      { admin: true },
    ),
    check(
      'version',
      '`expectedVersion` is required on every transition',
      (w) =>
        takeTurn(w, async () => {
          const { offer, sender } = await makeGift(w);
          const missing = await step(w, offer.id, 'cancel', sender, {});
          expectProblem(missing, 400, 'invalid_request', '/body/expectedVersion');
          const wrong = await step(w, offer.id, 'cancel', sender, { expectedVersion: 9 });
          expectEqual(expectProblem(wrong, 409, 'version_conflict').currentVersion, 1, 'it', wrong);
          expectOk(await step(w, offer.id, 'cancel', sender, { expectedVersion: 1 }));
        }),
      { source: 'cap 1', admin: true },
    ),
    check(
      'private',
      'an offer is read by its sender and its recipient',
      (w) =>
        takeTurn(w, async () => {
          const { offer, sender } = await makeGift(w);
          expectOk(await w.get(`/api/v1/offers/${offer.id}`, { as: sender }));
          const reader = await getFullKey(w, await getAgent(w, 'reader'));
          const answer = await w.get(`/api/v1/offers/${offer.id}`, { as: reader });
          expectProblem(answer, 404, 'not_found');
          expectOk(await step(w, offer.id, 'cancel', sender, { expectedVersion: 1 }));
        }),
      { admin: true },
    ),
    check(
      'self',
      'Not to oneself.',
      (w) =>
        takeTurn(w, async () => {
          await earnUnits(w);
          const { worker, workerAgent } = await getParties(w);
          const body = { kind: 'gift', amount: 1, recipient: workerAgent.handle };
          const answer = await w.post('/api/v1/offers', body, { as: worker });
          expectEqual(expectProblem(answer, 422, 'not_eligible').reason, 'self', 'reason', answer);
        }),
      { admin: true },
    ),
    check(
      'expiry',
      'A gift expires after seven days.',
      (w) =>
        takeTurn(w, async () => {
          const { offer, sender } = await makeGift(w);
          const { createdAt, expiresAt } = await w.read(`/api/v1/offers/${offer.id}`, {
            as: sender,
          });
          const days = (Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000;
          expectEqual(days, 7, 'the days that it lasts');
          expectOk(await step(w, offer.id, 'cancel', sender, { expectedVersion: 1 }));
        }),
      { source: 'spec: States and transitions', admin: true },
    ),
  ],
  { needs: ['credits', 'offers', 'tasks'] },
);

export const tasks = buildArea(
  'tasks',
  'cap 6',
  [
    check(
      'settled',
      'rubric satisfied (`upheld`; fixture matches), whatever the verdict says | `paid`',
      (w) =>
        takeTurn(w, async () => {
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
        takeTurn(w, async () => {
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
        takeTurn(w, async () => {
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
        takeTurn(w, async () => {
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
