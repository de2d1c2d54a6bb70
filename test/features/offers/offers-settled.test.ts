import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, runConcurrently } from '../../support/factories.ts';
import { type CreditHolder, creditHelpers, creditSettings } from '../credits/setup.ts';
import { externalSubject, interactionHelpers } from '../interactions/setup.ts';

// Jobs run by hand, because a job that ends a gift a moment earlier would have made a new version.
const app = await startApp({ ...creditSettings, INTERACTIONS_ENABLED: 'on' }, { manualJobs: true });
const other = await app.startNode();
const f = factories(app);
const p = creditHelpers(app, f);
const WEEK = 7 * 24 * 3600 * 1000;

const send = (agent: CreditHolder, body: object, node = f) =>
  node.send('POST', '/api/v1/offers', { key: agent.key, body });
const buildBalance = (available: number, reserved = 0) => ({ available, reserved });
const ada = await p.createHolder(1000);
const bob = await p.createHolder();
const eve = await p.createHolder();

describe('gifts', () => {
  it('[offers.gift-expiry] can be accepted until the millisecond before expiry', async () => {
    const sender = await p.createHolder(20);
    const friend = await p.createHolder();
    const first = await p.createOffer(sender, 5, { recipient: friend.id });
    const second = await p.createOffer(sender, 6, { recipient: friend.id });
    const third = await p.createOffer(sender, 9);
    app.clock.advance(WEEK - 1);
    await app.app.jobs.runDue();
    expect((await p.sendOfferStep(friend, first.id, 'accept')).status).toBe(200);
    app.clock.advance(1);
    for (const [agent, step] of [
      [friend, 'accept'],
      [friend, 'decline'],
      [sender, 'cancel'],
    ] as const)
      expect(await p.sendOfferStep(agent, second.id, step)).toMatchObject(
        buildProblem(409, 'state_conflict', { state: 'expired' }),
      );
    expect(
      await p.sendOfferStep(sender, third.id, 'recipient', {
        recipient: friend.id,
        expectedVersion: 1,
      }),
    ).toMatchObject(buildProblem(409, 'state_conflict', { state: 'expired' }));
    await Promise.all([app.app.jobs.runDue(), other.app.jobs.runDue()]);
    expect({
      sender: await p.getEarned(sender),
      recipient: await p.getEarned(friend),
    }).toEqual({ sender: buildBalance(15), recipient: buildBalance(5) });
    expect({
      second: await p.getOffer(sender, second.id),
      third: await p.getOffer(sender, third.id),
    }).toMatchObject({
      second: { state: 'expired', version: 2 },
      third: { state: 'expired', version: 2 },
    });
    expect(await p.sendOfferStep(friend, second.id, 'accept')).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'expired' }),
    );
  });

  it('[offers.once] are settled once whatever races on two nodes', async () => {
    const sender = await p.createHolder(40);
    const friend = await p.createHolder();
    const made = await runConcurrently(8, () => p.createOffer(sender, 5, { recipient: friend.id }));
    app.clock.advance(WEEK - 1);
    const steps = made.flatMap(
      ({ id }: Json, n: number) =>
        [
          [friend, id, 'accept', n % 2 ? f : factories(other)],
          [sender, id, 'cancel', n % 2 ? factories(other) : f],
          [friend, id, 'decline', f],
        ] as const,
    );
    const acting = Promise.all(
      steps.map(([agent, id, step, node]) =>
        node.send('POST', `/api/v1/offers/${id}/${step}`, {
          key: agent.key,
          body: { expectedVersion: 1 },
        }),
      ),
    );
    app.clock.advance(1);
    const [answers] = await Promise.all([acting, app.app.jobs.runDue(), other.app.jobs.runDue()]);
    expect(
      answers.map(({ status }) => status).filter((status) => ![200, 404, 409].includes(status)),
    ).toEqual([]);
    await app.app.jobs.runDue();
    const states = (await f.ok('GET', '/api/v1/offers?role=sender', { key: sender.key })).map(
      ({ state }: Json) => state,
    );
    const accepted = states.filter((state: string) => state === 'accepted').length;
    expect(
      states.every((state: string) => ['accepted', 'cancelled', 'expired'].includes(state)),
    ).toBe(true);
    expect({
      sender: await p.getEarned(sender),
      recipient: await p.getEarned(friend),
    }).toEqual({
      sender: buildBalance(40 - 5 * accepted),
      recipient: buildBalance(5 * accepted),
    });
  });
});

describe('payables', () => {
  const createWorks = async (): Promise<{
    room: string;
    thread: string;
    message: string;
    file: string;
  }> => {
    const room = await f.createRoom({ ...bob, key: bob.forumKey });
    const thread = await f.createThread({ ...bob, key: bob.forumKey }, room);
    const { id: message } = await f.postMessage(
      { ...bob, key: bob.forumKey },
      thread,
      'The review',
    );
    return {
      room,
      thread,
      message,
      file: (await f.attachFile({ ...bob, key: bob.forumKey }, message)).id,
    };
  };

  it('[offers.payable-work] [offers.payable-author] go to the author of a work', async () => {
    const { message, file } = await createWorks();
    const said = await interactionHelpers(f).recordInteraction(
      { ...bob, key: bob.forumKey },
      externalSubject(),
    );
    for (const work of [
      { type: 'message', id: message },
      { type: 'file', id: file },
      { type: 'interaction', id: said.id },
    ]) {
      const { id } = (await send(ada, { kind: 'payable', amount: 2, work })).body;
      expect(await p.getOffer(ada, id)).toMatchObject({
        work,
        workAuthorId: bob.id,
        state: 'reserved',
        expiresAt: null,
      });
      expect(
        await p.sendOfferStep(ada, id, 'recipient', { recipient: eve.handle, expectedVersion: 1 }),
      ).toMatchObject(buildProblem(422, 'not_eligible', { reason: 'not_author' }));
      // Later changes of the work make no difference.
      if (work.type === 'file')
        await f.ok('DELETE', `/api/v1/admin/messages/${message}`, { admin: true });
      expect(
        await p.sendOfferStep(ada, id, 'recipient', { recipient: eve.handle, expectedVersion: 1 }),
      ).toMatchObject(buildProblem(422, 'not_eligible', { reason: 'not_author' }));
      expect(
        (await p.sendOfferStep(ada, id, 'recipient', { recipient: bob.handle, expectedVersion: 1 }))
          .status,
      ).toBe(200);
      expect((await p.sendOfferStep(bob, id, 'accept')).status).toBe(200);
    }
    const before = await p.listStoredRows();
    const hidden = await f.createRoom({ ...bob, key: bob.forumKey }, 'private');
    const secret = await f.postMessage(
      { ...bob, key: bob.forumKey },
      await f.createThread({ ...bob, key: bob.forumKey }, hidden),
      'Secret',
    );
    for (const work of [
      { type: 'message', id: message },
      { type: 'message', id: secret.id },
      { type: 'file', id: secret.id },
      { type: 'interaction', id: bob.id },
    ])
      expect(await send(ada, { kind: 'payable', amount: 2, work })).toMatchObject(
        buildProblem(404, 'not_found'),
      );
    expect(
      (await p.listStoredRows()).filter(
        (row) => row.startsWith('offers') || row.startsWith('ledger_'),
      ),
    ).toEqual(before.filter((row) => row.startsWith('offers') || row.startsWith('ledger_')));
    expect(await send(ada, { kind: 'payable', amount: 2 })).toMatchObject(
      buildProblem(400, 'invalid_request'),
    );
    expect(
      await send(ada, { kind: 'gift', amount: 2, work: { type: 'message', id: message } }),
    ).toMatchObject(buildProblem(400, 'invalid_request'));
  });

  it('[offers.payable-lasting] never expire by themselves', async () => {
    const { message } = await createWorks();
    const { id } = (
      await send(ada, {
        kind: 'payable',
        amount: 2,
        work: { type: 'message', id: message },
        recipient: bob.handle,
      })
    ).body;
    app.clock.advance(100 * WEEK);
    await app.app.jobs.runDue();
    expect((await p.sendOfferStep(bob, id, 'accept')).body.state).toBe('accepted');
  });

  it('[offers.not-oneself] are not for own work, nor gifts for oneself', async () => {
    const { message } = await createWorks();
    await p.payFromGrant(bob, 5);
    const self = buildProblem(422, 'not_eligible', { reason: 'self' });
    expect(
      await send(bob, { kind: 'payable', amount: 1, work: { type: 'message', id: message } }),
    ).toMatchObject(self);
    for (const recipient of [bob.handle, bob.id, bob.handle.toUpperCase()])
      expect(await send(bob, { kind: 'gift', amount: 1, recipient })).toMatchObject(self);
    const { id } = await p.createOffer(bob, 1);
    expect(
      await p.sendOfferStep(bob, id, 'recipient', { recipient: bob.handle, expectedVersion: 1 }),
    ).toMatchObject(self);
  });
});

describe('offers of a blocked agent', () => {
  const block = (agent: CreditHolder, blocked = true) =>
    f.ok('PUT', `/api/v1/admin/agents/${agent.id}/block`, { admin: true, body: { blocked } });

  it('[offers.blocked] cannot be confirmed, nor accepted if confirmed before', async () => {
    const sender = await p.createHolder(10);
    const friend = await p.createHolder();
    const confirmed = await p.createOffer(sender, 4, { recipient: friend.handle });
    const open = await p.createOffer(sender, 4);
    await block(friend);
    expect(await p.sendOfferStep(friend, confirmed.id, 'accept')).toMatchObject(
      buildProblem(403, 'agent_blocked'),
    );
    const refusal = buildProblem(422, 'not_eligible', { reason: 'recipient_blocked' });
    expect(
      await p.sendOfferStep(sender, open.id, 'recipient', {
        recipient: friend.handle,
        expectedVersion: 1,
      }),
    ).toMatchObject(refusal);
    expect(await send(sender, { kind: 'gift', amount: 1, recipient: friend.handle })).toMatchObject(
      refusal,
    );
    expect(await p.getEarned(sender)).toEqual(buildBalance(2, 8));
    await block(friend, false);
    expect((await p.sendOfferStep(friend, confirmed.id, 'accept')).status).toBe(200);
  });

  it('[offers.blocked] are never paid after the block, raced on two nodes', async () => {
    const sender = await p.createHolder(100);
    for (let round = 0; round < 6; round++) {
      const friend = await p.createHolder();
      const { id } = await p.createOffer(sender, 1, { recipient: friend.handle });
      const [answer] = await Promise.all([
        factories(other).send('POST', `/api/v1/offers/${id}/accept`, {
          key: friend.key,
          body: { expectedVersion: 1 },
        }),
        block(friend),
      ]);
      const { state } = await p.getOffer(sender, id);
      expect({ status: answer.status, state }).toEqual(
        answer.status === 200
          ? { status: 200, state: 'accepted' }
          : { status: 403, state: 'confirmed' },
      );
    }
  });

  it('[offers.sender-blocked] acceptOffer waits while the sender is blocked', async () => {
    const sender = await p.createHolder(10);
    const friend = await p.createHolder();
    const taken = await p.createOffer(sender, 4, { recipient: friend.handle });
    const left = await p.createOffer(sender, 3, { recipient: friend.handle });
    await block(sender);
    for (const offer of [taken, left])
      expect(await p.sendOfferStep(friend, offer.id, 'accept')).toMatchObject(
        buildProblem(409, 'state_conflict', { state: 'confirmed', reason: 'sender_blocked' }),
      );
    expect(await p.getEarned(friend)).toEqual(buildBalance(0));
    // Declining takes nothing from anyone.
    expect((await p.sendOfferStep(friend, left.id, 'decline')).status).toBe(200);
    await block(sender, false);
    expect((await p.sendOfferStep(friend, taken.id, 'accept')).status).toBe(200);
    expect(await p.getEarned(friend)).toEqual(buildBalance(4));
  });

  it('[offers.sender-blocked] acceptOffer comes before or after the block', async () => {
    const friend = await p.createHolder();
    for (let round = 0; round < 6; round++) {
      const sender = await p.createHolder(1);
      const { id } = await p.createOffer(sender, 1, { recipient: friend.handle });
      const [answer] = await Promise.all([
        factories(other).send('POST', `/api/v1/offers/${id}/accept`, {
          key: friend.key,
          body: { expectedVersion: 1 },
        }),
        block(sender),
      ]);
      expect({ status: answer.status, state: (await p.getOffer(friend, id)).state }).toEqual(
        answer.status === 200
          ? { status: 200, state: 'accepted' }
          : { status: 409, state: 'confirmed' },
      );
    }
  });
});
