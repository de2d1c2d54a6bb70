import { expect, it } from 'vitest';
import { MAX_OPEN } from '../../../src/features/offers/open-offers.rules.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, runConcurrently } from '../../support/factories.ts';
import { actDuringRecovery } from '../admin/setup.ts';
import { type CreditHolder, creditHelpers, creditSettings } from '../credits/setup.ts';
import { fillOffers } from './setup.ts';

const app = await startApp(creditSettings);
const f = factories(app);
const p = creditHelpers(app, f);

const recover = async (who: CreditHolder): Promise<CreditHolder> => {
  const { apiKey } = await f.ok('POST', `/api/v1/admin/agents/${who.id}/recovery`, {
    admin: true,
    body: { reason: 'Somebody else has the key.' },
  });
  const scoped = await f.createScopedKey({ ...who, key: apiKey }, ['credits']);
  return { ...who, forumKey: apiKey, key: scoped.apiKey };
};
const buildBalance = (available: number, reserved = 0) => ({ available, reserved });

it('[attack.8-4] (API6) a recovery cancels what a thief offered', async () => {
  const rich = await p.createHolder(100);
  const mal = await p.createHolder();
  const gift = await p.createOffer(rich, 50, { recipient: mal.handle });
  const nameless = await p.createOffer(rich, 20);
  const paid = await p.createOffer(rich, 10, { recipient: mal.handle });
  await p.sendOfferStep(mal, paid.id, 'accept');
  const declined = await p.createOffer(rich, 5, { recipient: mal.handle });
  await p.sendOfferStep(mal, declined.id, 'decline');
  const back = await recover(rich);
  expect(await p.sendOfferStep(mal, gift.id, 'accept')).toMatchObject(
    buildProblem(409, 'state_conflict', { state: 'cancelled' }),
  );
  expect(await p.getEarned(mal)).toEqual(buildBalance(10));
  expect(await p.getEarned(back)).toEqual(buildBalance(90));
  expect((await p.getOffer(back, paid.id)).state).toBe('accepted');
  for (const { id } of [gift, nameless, declined])
    expect((await p.getOffer(back, id)).state).toBe('cancelled');
  expect((await p.getOffer(mal, gift.id)).revisions).toMatchObject([
    { version: 1, state: 'confirmed', authorId: rich.id },
    { version: 2, state: 'cancelled', authorId: rich.id, receiptId: null },
  ]);
  // Both parties hear of it, and nobody of them did it.
  const told = { type: 'offer', id: gift.id, state: 'cancelled' };
  for (const who of [back, mal]) {
    const { events } = await f.listEvents({ ...who, key: who.forumKey });
    expect(events.filter(({ subject }: Json) => subject?.id === gift.id)).toContainEqual(
      expect.objectContaining({ subject: told, actorId: null }),
    );
  }
  // The agent itself may offer again.
  const again = await p.createOffer(back, 90, { recipient: mal.handle });
  expect((await p.sendOfferStep(mal, again.id, 'accept')).status).toBe(200);
});

it('[attack.8-4] (API6) a recovery leaves what others offered to the agent', async () => {
  const sender = await p.createHolder(10);
  const lost = await p.createHolder();
  const { id } = await p.createOffer(sender, 10, { recipient: lost.handle });
  const back = await recover(lost);
  expect((await p.sendOfferStep(back, id, 'accept')).status).toBe(200);
});

it('[attack.8-4] (API6) no offer comes in while a recovery is under way', async () => {
  const rich = await p.createHolder(10);
  const made = await actDuringRecovery(app, rich.id, () =>
    f.send('POST', '/api/v1/offers', { key: rich.key, body: { kind: 'gift', amount: 1 } }),
  );
  expect(made).toMatchObject(buildProblem(401, 'invalid_credential'));
});

it('[attack.8-4] (API6) nothing is paid after a recovery that came in between', async () => {
  const rich = await p.createHolder(100);
  const mal = await p.createHolder();
  const made = await runConcurrently(8, () => p.createOffer(rich, 5, { recipient: mal.handle }));
  const outcomes = runConcurrently(32, async (n) => {
    const offer = `/api/v1/offers/${made[n % 8]?.id}`;
    const body = { expectedVersion: 1 };
    if (n < 8) return f.send('POST', `${offer}/accept`, { key: mal.key, body });
    if (n < 16) return f.send('POST', `${offer}/cancel`, { key: rich.key, body });
    if (n < 20) return f.send('POST', `${offer}/decline`, { key: mal.key, body });
    return f.send('POST', '/api/v1/offers', {
      key: rich.key,
      body: { kind: 'gift', amount: 1, recipient: mal.handle },
    });
  });
  const back = await recover(rich);
  expect((await outcomes).filter(({ status }) => status >= 500)).toEqual([]);
  const rows: Json[] = await f.ok('GET', '/api/v1/offers?role=sender&limit=100', {
    key: back.key,
  });
  expect(rows.filter(({ state }) => !['accepted', 'cancelled'].includes(state))).toEqual([]);
  const paid = rows
    .filter(({ state }) => state === 'accepted')
    .reduce((sum, { amount }) => sum + amount, 0);
  expect({ rich: await p.getEarned(back), mal: await p.getEarned(mal) }).toEqual({
    rich: buildBalance(100 - paid),
    mal: buildBalance(paid),
  });
});

it('[attack.8-4] (API6) there is an end to what a recovery has to cancel', async () => {
  const rich = await p.createHolder(MAX_OPEN + 10);
  await fillOffers(app, rich.id, MAX_OPEN - 2);
  const attempts = await runConcurrently(6, () =>
    f.send('POST', '/api/v1/offers', { key: rich.key, body: { kind: 'gift', amount: 1 } }),
  );
  const refused = buildProblem(422, 'limit_exceeded', { limit: MAX_OPEN });
  expect(attempts.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422, 422, 422]);
  for (const attempt of attempts)
    if (attempt.status !== 200) expect(attempt).toMatchObject(refused);
  const made = attempts.find(({ status }) => status === 200)?.body as Json;
  // One that is settled makes room.
  await p.sendOfferStep(rich, made.id, 'cancel');
  await p.createOffer(rich, 1);
  const back = await recover(rich);
  expect(await p.getEarned(back)).toEqual(buildBalance(MAX_OPEN + 10));
});
