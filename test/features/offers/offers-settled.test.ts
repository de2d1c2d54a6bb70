import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { CREDITS, type Holder, purses } from '../credits/setup.ts';
import { factories, type Loose, refused, together } from '../../support/factories.ts';
import { outside, recorders } from '../interactions/setup.ts';

// By hand: a gift that the job ended a moment before is in its next version already.
const app = await startApp({ ...CREDITS, INTERACTIONS_ENABLED: 'on' }, { jobsByHand: true });
const other = await app.another();
const f = factories(app);
const p = purses(app, f);
const WEEK = 7 * 24 * 3600 * 1000;

const send = (agent: Holder, body: object, node = f) =>
  node.send('POST', '/api/v1/offers', { key: agent.key, body });
const has = (available: number, reserved = 0) => ({ available, reserved });
const [ada, bob, eve] = [await p.holder(1000), await p.holder(), await p.holder()];

describe('a gift', () => {
  it('[offers.gift-expiry] can be accepted until the millisecond before, and not at the very one', async () => {
    const [sender, friend] = [await p.holder(20), await p.holder()];
    const [first, second, third] = [
      await p.offer(sender, 5, { recipient: friend.id }),
      await p.offer(sender, 6, { recipient: friend.id }),
      await p.offer(sender, 9),
    ];
    app.clock.advance(WEEK - 1);
    await app.app.jobs.runDue();
    expect((await p.move(friend, first.id, 'accept')).status).toBe(200);
    app.clock.advance(1);
    for (const [agent, step] of [
      [friend, 'accept'],
      [friend, 'decline'],
      [sender, 'cancel'],
    ] as const)
      expect(await p.move(agent, second.id, step)).toMatchObject(
        refused(409, 'state_conflict', { state: 'expired' }),
      );
    expect(
      await p.move(sender, third.id, 'recipient', { recipient: friend.id, expectedVersion: 1 }),
    ).toMatchObject(refused(409, 'state_conflict', { state: 'expired' }));
    await Promise.all([app.app.jobs.runDue(), other.app.jobs.runDue()]);
    expect([await p.earned(sender), await p.earned(friend)]).toEqual([has(15), has(5)]);
    expect([await p.read(sender, second.id), await p.read(sender, third.id)]).toMatchObject([
      { state: 'expired', version: 2 },
      { state: 'expired', version: 2 },
    ]);
    expect(await p.move(friend, second.id, 'accept')).toMatchObject(
      refused(409, 'state_conflict', { state: 'expired' }),
    );
  });

  it('[offers.once] is settled once by acceptance, cancellation, decline and expiry at once on two nodes', async () => {
    const [sender, friend] = [await p.holder(40), await p.holder()];
    const made = await together(8, () => p.offer(sender, 5, { recipient: friend.id }));
    app.clock.advance(WEEK - 1);
    const steps = made.flatMap(
      ({ id }: Loose, n: number) =>
        [
          [friend, id, 'accept', n % 2 ? f : factories(other)],
          [sender, id, 'cancel', n % 2 ? factories(other) : f],
          [friend, id, 'decline', f],
        ] as const,
    );
    const acting = Promise.all(
      steps.map(([agent, id, step, node]) =>
        node.send('POST', `/api/v1/offers/${id}/${step}`, { key: agent.key }),
      ),
    );
    app.clock.advance(1);
    const [answers] = await Promise.all([acting, app.app.jobs.runDue(), other.app.jobs.runDue()]);
    expect(
      answers.map(({ status }) => status).filter((status) => ![200, 404, 409].includes(status)),
    ).toEqual([]);
    await app.app.jobs.runDue();
    const states = (await f.ok('GET', '/api/v1/offers?role=sender', { key: sender.key })).map(
      ({ state }: Loose) => state,
    );
    const accepted = states.filter((state: string) => state === 'accepted').length;
    expect(
      states.every((state: string) => ['accepted', 'cancelled', 'expired'].includes(state)),
    ).toBe(true);
    expect([await p.earned(sender), await p.earned(friend)]).toEqual([
      has(40 - 5 * accepted),
      has(5 * accepted),
    ]);
  });
});

describe('a payable', () => {
  const works = async (): Promise<{
    room: string;
    thread: string;
    message: string;
    file: string;
  }> => {
    const room = await f.room({ ...bob, key: bob.forum });
    const thread = await f.thread({ ...bob, key: bob.forum }, room);
    const { id: message } = await f.post({ ...bob, key: bob.forum }, thread, 'The review');
    return {
      room,
      thread,
      message,
      file: (await f.attach({ ...bob, key: bob.forum }, message)).id,
    };
  };

  it('[offers.payable-work] [offers.payable-author] is for the author of a work that its sender may read', async () => {
    const { message, file } = await works();
    const said = await recorders(f).record({ ...bob, key: bob.forum }, outside());
    for (const work of [
      { type: 'message', id: message },
      { type: 'file', id: file },
      { type: 'interaction', id: said.id },
    ]) {
      const { id } = (await send(ada, { kind: 'payable', amount: 2, work })).body;
      expect(await p.read(ada, id)).toMatchObject({
        work,
        workAuthorId: bob.id,
        state: 'reserved',
        expiresAt: null,
      });
      expect(
        await p.move(ada, id, 'recipient', { recipient: eve.handle, expectedVersion: 1 }),
      ).toMatchObject(refused(422, 'not_eligible', { reason: 'not_author' }));
      // What becomes of the work afterwards changes nothing.
      if (work.type === 'file')
        await f.ok('DELETE', `/api/v1/admin/messages/${message}`, { admin: true });
      expect(
        await p.move(ada, id, 'recipient', { recipient: eve.handle, expectedVersion: 1 }),
      ).toMatchObject(refused(422, 'not_eligible', { reason: 'not_author' }));
      expect(
        (await p.move(ada, id, 'recipient', { recipient: bob.handle, expectedVersion: 1 })).status,
      ).toBe(200);
      expect((await p.move(bob, id, 'accept')).status).toBe(200);
    }
    const before = await p.stored();
    const hidden = await f.room({ ...bob, key: bob.forum }, 'private');
    const secret = await f.post(
      { ...bob, key: bob.forum },
      await f.thread({ ...bob, key: bob.forum }, hidden),
      'Secret',
    );
    for (const work of [
      { type: 'message', id: message },
      { type: 'message', id: secret.id },
      { type: 'file', id: secret.id },
      { type: 'interaction', id: bob.id },
    ])
      expect(await send(ada, { kind: 'payable', amount: 2, work })).toMatchObject(
        refused(404, 'not_found'),
      );
    expect(
      (await p.stored()).filter((row) => row.startsWith('offers') || row.startsWith('ledger_')),
    ).toEqual(before.filter((row) => row.startsWith('offers') || row.startsWith('ledger_')));
    expect(await send(ada, { kind: 'payable', amount: 2 })).toMatchObject(
      refused(400, 'invalid_request'),
    );
    expect(
      await send(ada, { kind: 'gift', amount: 2, work: { type: 'message', id: message } }),
    ).toMatchObject(refused(400, 'invalid_request'));
  });

  it('[offers.payable-lasting] never expires by itself', async () => {
    const { message } = await works();
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
    expect((await p.move(bob, id, 'accept')).body.state).toBe('accepted');
  });

  it('[offers.not-oneself] is not for own work, nor is a gift for oneself', async () => {
    const { message } = await works();
    await p.earn(bob, 5);
    const self = refused(422, 'not_eligible', { reason: 'self' });
    expect(
      await send(bob, { kind: 'payable', amount: 1, work: { type: 'message', id: message } }),
    ).toMatchObject(self);
    for (const recipient of [bob.handle, bob.id, bob.handle.toUpperCase()])
      expect(await send(bob, { kind: 'gift', amount: 1, recipient })).toMatchObject(self);
    const { id } = await p.offer(bob, 1);
    expect(
      await p.move(bob, id, 'recipient', { recipient: bob.handle, expectedVersion: 1 }),
    ).toMatchObject(self);
  });
});

describe('a blocked agent', () => {
  const block = (agent: Holder, blocked = true) =>
    f.ok('PUT', `/api/v1/admin/agents/${agent.id}/block`, { admin: true, body: { blocked } });

  it('[offers.blocked] cannot be confirmed, and cannot accept what was confirmed before', async () => {
    const [sender, friend] = [await p.holder(10), await p.holder()];
    const [confirmed, open] = [
      await p.offer(sender, 4, { recipient: friend.handle }),
      await p.offer(sender, 4),
    ];
    await block(friend);
    expect(await p.move(friend, confirmed.id, 'accept')).toMatchObject(
      refused(403, 'agent_blocked'),
    );
    const refusal = refused(422, 'not_eligible', { reason: 'recipient_blocked' });
    expect(
      await p.move(sender, open.id, 'recipient', { recipient: friend.handle, expectedVersion: 1 }),
    ).toMatchObject(refusal);
    expect(await send(sender, { kind: 'gift', amount: 1, recipient: friend.handle })).toMatchObject(
      refusal,
    );
    expect(await p.earned(sender)).toEqual(has(2, 8));
    await block(friend, false);
    expect((await p.move(friend, confirmed.id, 'accept')).status).toBe(200);
  });

  it('[offers.blocked] is paid or blocked, raced on two nodes: never paid after it was blocked', async () => {
    const sender = await p.holder(100);
    for (let round = 0; round < 6; round++) {
      const friend = await p.holder();
      const { id } = await p.offer(sender, 1, { recipient: friend.handle });
      const [answer] = await Promise.all([
        factories(other).send('POST', `/api/v1/offers/${id}/accept`, { key: friend.key }),
        block(friend),
      ]);
      const { state } = await p.read(sender, id);
      expect([answer.status, state]).toEqual(
        answer.status === 200 ? [200, 'accepted'] : [403, 'confirmed'],
      );
    }
  });
});
