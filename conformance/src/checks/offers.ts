import { buildArea, check } from '../check.ts';
import { getAgent, getFullKey } from '../support/agents.ts';
import { expectEqual, expectOk, expectProblem } from '../support/expectations.ts';
import { earnUnits, enroll, getParties, readEarned } from '../support/tasks.ts';
import type { World } from '../support/world.ts';

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
        w.takeTurn('ledger', async () => {
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
        w.takeTurn('ledger', async () => {
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
        w.takeTurn('ledger', async () => {
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
        w.takeTurn('ledger', async () => {
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
        w.takeTurn('ledger', async () => {
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
        w.takeTurn('ledger', async () => {
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
        w.takeTurn('ledger', async () => {
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
