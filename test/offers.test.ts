import { describe, expect, it } from 'vitest';
import { startApp } from './app.ts';
import { CREDITS, type Holder, purses } from './credits.ts';
import { factories, type Loose, refused, together } from './factories.ts';
import { everythingStored } from './stored.ts';

const app = await startApp({ ...CREDITS, INTERACTIONS_ENABLED: 'on' });
const other = await app.another();
const { db } = app.app.env;
const f = factories(app);
const p = purses(app, f);
const WEEK = 7 * 24 * 3600 * 1000;

const send = (agent: Holder, body: object, node = f) => node.send('POST', '/api/v1/offers', { key: agent.key, body });
const read = (agent: Holder, id: string): Promise<Loose> => f.ok('GET', `/api/v1/offers/${id}`, { key: agent.key });
const earned = async (agent: Holder) => (await p.balances(agent)).earned;
const has = (available: number, reserved = 0) => ({ available, reserved });
const [ada, bob, eve] = [await p.holder(1000), await p.holder(), await p.holder()];

describe('an offer', () => {
  it('[offers.create] [offers.paid] [offers.version] sets units aside and pays them', async () => {
    const [sender, friend] = [await p.holder(100), await p.holder()];
    const made = await p.offer(sender, 30, { note: 'Thanks' });
    expect(made).toEqual({ id: expect.any(String), version: 1, state: 'reserved', updatedAt: expect.any(String), receiptId: null });
    expect(await earned(sender)).toEqual(has(70, 30));
    expect((await p.move(sender, made.id, 'recipient', { recipient: friend.handle, expectedVersion: 1 })).body).toMatchObject({
      version: 2,
      state: 'confirmed',
    });
    app.clock.advance(1000);
    const accepted = (await p.move(friend, made.id, 'accept', { expectedVersion: 2 })).body;
    expect(accepted).toMatchObject({ version: 3, state: 'accepted', receiptId: expect.any(String) });
    expect([await earned(sender), await earned(friend)]).toEqual([has(70), has(30)]);
    const { revisions, ...row } = await read(friend, made.id);
    expect(row).toMatchObject({
      kind: 'gift',
      unit: 'earned',
      amount: 30,
      senderId: sender.id,
      recipientHandle: friend.handle,
      note: 'Thanks',
      state: 'accepted',
      version: 3,
      receiptId: accepted.receiptId,
    });
    expect(revisions.map(({ version, state, authorId }: Loose) => [version, state, authorId])).toEqual([
      [1, 'reserved', sender.id],
      [2, 'confirmed', sender.id],
      [3, 'accepted', friend.id],
    ]);
    // The same step again, with another key: it was done.
    expect(await p.move(friend, made.id, 'accept')).toMatchObject(refused(409, 'state_conflict', { state: 'accepted' }));
  });

  it('[offers.transitions] [offers.paid] can be declined, confirmed for another, and cancelled', async () => {
    const sender = await p.holder(10);
    const { id, state } = await p.offer(sender, 10, { recipient: bob.id.toUpperCase() });
    expect(state).toBe('confirmed');
    expect((await p.move(bob, id, 'decline')).body).toMatchObject({ state: 'reserved', version: 2 });
    expect(await p.move(bob, id, 'accept')).toMatchObject(refused(404, 'not_found'));
    expect(await earned(sender)).toEqual(has(0, 10));
    expect((await p.move(sender, id, 'recipient', { recipient: eve.handle, expectedVersion: 2 })).status).toBe(200);
    expect(await p.move(sender, id, 'recipient', { recipient: bob.handle, expectedVersion: 3 })).toMatchObject(
      refused(409, 'state_conflict', { state: 'confirmed' }),
    );
    expect((await p.move(sender, id, 'cancel')).body).toMatchObject({ state: 'cancelled', version: 4 });
    expect(await earned(sender)).toEqual(has(10));
    for (const [agent, step] of [
      [eve, 'accept'],
      [eve, 'decline'],
      [sender, 'cancel'],
    ] as const)
      expect(await p.move(agent, id, step)).toMatchObject(refused(409, 'state_conflict', { state: 'cancelled' }));
  });

  it('[offers.parties] [offers.list] is known to its parties alone', async () => {
    const [sender, friend] = [await p.holder(10), await p.holder()];
    const [mine, open] = [await p.offer(sender, 3, { recipient: friend.handle }), await p.offer(sender, 2)];
    const list = async (agent: Holder, query = '') => (await f.ok('GET', `/api/v1/offers${query}`, { key: agent.key })).map(({ id }: Loose) => id);
    expect([await list(sender), await list(sender, '?role=sender'), await list(sender, '?role=recipient')]).toEqual([
      [open.id, mine.id],
      [open.id, mine.id],
      [],
    ]);
    expect([await list(friend), await list(friend, '?role=recipient'), await list(friend, '?role=sender'), await list(eve, '?limit=100')]).toEqual([
      [mine.id],
      [mine.id],
      [],
      [],
    ]);
    expect((await f.walk('/api/v1/offers?limit=1', { key: sender.key })).flat().map(({ id }: Loose) => id)).toEqual([open.id, mine.id]);
    expect(await f.send('GET', '/api/v1/offers?role=owner', { key: sender.key })).toMatchObject(refused(400, 'invalid_request'));
    for (const step of ['accept', 'decline'] as const) expect(await p.move(sender, mine.id, step)).toMatchObject(refused(403, 'forbidden'));
    expect(await p.move(friend, mine.id, 'cancel')).toMatchObject(refused(403, 'forbidden'));
    expect(await p.move(friend, mine.id, 'recipient', { recipient: friend.handle, expectedVersion: 1 })).toMatchObject(refused(403, 'forbidden'));
    const before = await everythingStored(db);
    for (const id of [mine.id, open.id, sender.id]) {
      expect(await f.send('GET', `/api/v1/offers/${id}`, { key: eve.key })).toMatchObject(refused(404, 'not_found'));
      for (const step of ['accept', 'decline', 'cancel']) expect(await p.move(eve, id, step)).toMatchObject(refused(404, 'not_found'));
    }
    expect(await p.move(friend, open.id, 'accept')).toMatchObject(refused(404, 'not_found'));
    expect(await everythingStored(db)).toEqual(before);
  });

  it('[offers.version] with a wrong expectedVersion changes nothing; of two steps at once one wins', async () => {
    const sender = await p.holder(5);
    const { id } = await p.offer(sender, 5, { recipient: bob.handle });
    const before = await everythingStored(db);
    for (const [agent, step] of [
      [bob, 'accept'],
      [bob, 'decline'],
      [sender, 'cancel'],
    ] as const)
      expect(await p.move(agent, id, step, { expectedVersion: 2 })).toMatchObject(refused(409, 'version_conflict', { currentVersion: 1 }));
    expect(await p.move(sender, id, 'recipient', { recipient: eve.handle })).toMatchObject(refused(400, 'invalid_request'));
    expect(await everythingStored(db)).toEqual(before);
    await p.move(bob, id, 'decline');
    const answers = await together(6, (n) =>
      f.send('POST', `/api/v1/offers/${id}/recipient`, { key: sender.key, body: { recipient: n % 2 ? eve.handle : bob.handle, expectedVersion: 2 } }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer).toMatchObject(refused(409, 'version_conflict', { currentVersion: 3 }));
  });
});

describe('units', () => {
  it('[offers.insufficient] [offers.trial] that are not there, or are trial units, cannot be offered', async () => {
    const [poor, sender] = [await p.holder(), await p.holder(10)];
    await f.ok('POST', '/api/v1/enrollment', { key: poor.key });
    const before = await everythingStored(db);
    for (const amount of [1, 100, Number.MAX_SAFE_INTEGER])
      expect(await send(poor, { kind: 'gift', amount, recipient: bob.handle })).toMatchObject(refused(422, 'insufficient_funds'));
    expect(await send(poor, { kind: 'gift', amount: 1, unit: 'trial' })).toMatchObject(refused(400, 'invalid_request'));
    expect(await everythingStored(db)).toEqual(before);
    const answers = await together(8, (n) => send(sender, { kind: 'gift', amount: 3 }, n % 2 ? f : factories(other)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422, 422, 422, 422, 422]);
    expect(await earned(sender)).toEqual(has(1, 9));
  });

  it('[offers.input] are whole and positive, or nothing moves', async () => {
    const before = await everythingStored(db);
    for (const amount of [0, -1, 0.5, 1e30, 2 ** 53, '5', null, [5], { n: 5 }])
      expect(await send(ada, { kind: 'gift', amount }), String(amount)).toMatchObject(refused(400, 'invalid_request'));
    for (const body of [
      { kind: 'loan', amount: 1 },
      { amount: 1 },
      { kind: 'gift' },
      { kind: 'gift', amount: 1, note: 'x'.repeat(1001) },
      { kind: 'gift', amount: 1, recipient: 'x' },
    ])
      expect(await send(ada, body)).toMatchObject(refused(400, 'invalid_request'));
    for (const recipient of ['nobody-at-all', '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f', 'not-a-uuid-but-thirty-six-chars-long'])
      expect(await send(ada, { kind: 'gift', amount: 1, recipient })).toMatchObject(refused(404, 'not_found'));
    expect(await everythingStored(db)).toEqual(before);
  });
});

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
    for (const [agent, step, body] of [
      [friend, 'accept'],
      [friend, 'decline'],
      [sender, 'cancel'],
    ].map((one) => [...one, undefined]) as [Holder, string, undefined][])
      expect(await p.move(agent, second.id, step, body)).toMatchObject(refused(409, 'state_conflict', { state: 'expired' }));
    expect(await p.move(sender, third.id, 'recipient', { recipient: friend.id, expectedVersion: 1 })).toMatchObject(
      refused(409, 'state_conflict', { state: 'expired' }),
    );
    await Promise.all([app.app.jobs.runDue(), other.app.jobs.runDue()]);
    expect([await earned(sender), await earned(friend)]).toEqual([has(15), has(5)]);
    expect([await read(sender, second.id), await read(sender, third.id)]).toMatchObject([
      { state: 'expired', version: 2 },
      { state: 'expired', version: 2 },
    ]);
    expect(await p.move(friend, second.id, 'accept')).toMatchObject(refused(409, 'state_conflict', { state: 'expired' }));
  });

  it('[offers.once] is settled once by acceptance, cancellation, decline and expiry at once on two nodes', async () => {
    const [sender, friend] = [await p.holder(40), await p.holder()];
    const made = await together(8, () => p.offer(sender, 5, { recipient: friend.id }));
    // Half of them are due while the others' parties act.
    app.clock.advance(WEEK - 1);
    const late = await together(0, async () => undefined);
    expect(late).toEqual([]);
    const steps = made.flatMap(
      ({ id }: Loose, n: number) =>
        [
          [friend, id, 'accept', n % 2 ? f : factories(other)],
          [sender, id, 'cancel', n % 2 ? factories(other) : f],
          [friend, id, 'decline', f],
        ] as const,
    );
    const acting = Promise.all(steps.map(([agent, id, step, node]) => node.send('POST', `/api/v1/offers/${id}/${step}`, { key: agent.key })));
    app.clock.advance(1);
    const [answers] = await Promise.all([acting, app.app.jobs.runDue(), other.app.jobs.runDue()]);
    expect(answers.map(({ status }) => status).filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
    await app.app.jobs.runDue();
    const states = (await f.ok('GET', '/api/v1/offers?role=sender', { key: sender.key })).map(({ state }: Loose) => state);
    const accepted = states.filter((state: string) => state === 'accepted').length;
    expect(states.every((state: string) => ['accepted', 'cancelled', 'expired'].includes(state))).toBe(true);
    expect([await earned(sender), await earned(friend)]).toEqual([has(40 - 5 * accepted), has(5 * accepted)]);
  });
});

describe('a payable', () => {
  const works = async (): Promise<{ room: string; thread: string; message: string; file: string }> => {
    const room = await f.room({ ...bob, key: bob.forum });
    const thread = await f.thread({ ...bob, key: bob.forum }, room);
    const { id: message } = await f.post({ ...bob, key: bob.forum }, thread, 'The review');
    return { room, thread, message, file: (await f.attach({ ...bob, key: bob.forum }, message)).id };
  };

  it('[offers.payable-work] [offers.payable-author] is for the author of a work that its sender may read', async () => {
    const { message, file } = await works();
    for (const work of [
      { type: 'message', id: message },
      { type: 'file', id: file },
    ]) {
      const { id } = (await send(ada, { kind: 'payable', amount: 2, work })).body;
      expect(await read(ada, id)).toMatchObject({ work, workAuthorId: bob.id, state: 'reserved', expiresAt: null });
      expect(await p.move(ada, id, 'recipient', { recipient: eve.handle, expectedVersion: 1 })).toMatchObject(
        refused(422, 'not_eligible', { reason: 'not_author' }),
      );
      // What becomes of the work afterwards changes nothing.
      if (work.type === 'file') await f.ok('DELETE', `/api/v1/admin/messages/${message}`, { admin: true });
      expect(await p.move(ada, id, 'recipient', { recipient: eve.handle, expectedVersion: 1 })).toMatchObject(
        refused(422, 'not_eligible', { reason: 'not_author' }),
      );
      expect((await p.move(ada, id, 'recipient', { recipient: bob.handle, expectedVersion: 1 })).status).toBe(200);
      expect((await p.move(bob, id, 'accept')).status).toBe(200);
    }
    const before = await everythingStored(db);
    const hidden = await f.room({ ...bob, key: bob.forum }, 'private');
    const secret = await f.post({ ...bob, key: bob.forum }, await f.thread({ ...bob, key: bob.forum }, hidden), 'Secret');
    for (const work of [
      { type: 'message', id: message },
      { type: 'message', id: secret.id },
      { type: 'file', id: secret.id },
      { type: 'interaction', id: bob.id },
    ])
      expect(await send(ada, { kind: 'payable', amount: 2, work })).toMatchObject(refused(404, 'not_found'));
    expect((await everythingStored(db)).filter((row) => row.startsWith('offers') || row.startsWith('ledger_'))).toEqual(
      before.filter((row) => row.startsWith('offers') || row.startsWith('ledger_')),
    );
    expect(await send(ada, { kind: 'payable', amount: 2 })).toMatchObject(refused(400, 'invalid_request'));
    expect(await send(ada, { kind: 'gift', amount: 2, work: { type: 'message', id: message } })).toMatchObject(refused(400, 'invalid_request'));
  });

  it('[offers.payable-lasting] never expires by itself', async () => {
    const { message } = await works();
    const { id } = (await send(ada, { kind: 'payable', amount: 2, work: { type: 'message', id: message }, recipient: bob.handle })).body;
    app.clock.advance(100 * WEEK);
    await app.app.jobs.runDue();
    expect((await p.move(bob, id, 'accept')).body.state).toBe('accepted');
  });

  it('[offers.not-oneself] is not for own work, nor is a gift for oneself', async () => {
    const { message } = await works();
    await p.earn(bob, 5);
    const self = refused(422, 'not_eligible', { reason: 'self' });
    expect(await send(bob, { kind: 'payable', amount: 1, work: { type: 'message', id: message } })).toMatchObject(self);
    for (const recipient of [bob.handle, bob.id, bob.handle.toUpperCase()]) expect(await send(bob, { kind: 'gift', amount: 1, recipient })).toMatchObject(self);
    const { id } = await p.offer(bob, 1);
    expect(await p.move(bob, id, 'recipient', { recipient: bob.handle, expectedVersion: 1 })).toMatchObject(self);
  });
});

describe('a blocked agent', () => {
  const block = (agent: Holder, blocked = true) => f.ok('PUT', `/api/v1/admin/agents/${agent.id}/block`, { admin: true, body: { blocked } });

  it('[offers.blocked] cannot be confirmed, and cannot accept what was confirmed before', async () => {
    const [sender, friend] = [await p.holder(10), await p.holder()];
    const [confirmed, open] = [await p.offer(sender, 4, { recipient: friend.handle }), await p.offer(sender, 4)];
    await block(friend);
    expect(await p.move(friend, confirmed.id, 'accept')).toMatchObject(refused(403, 'agent_blocked'));
    const refusal = refused(422, 'not_eligible', { reason: 'recipient_blocked' });
    expect(await p.move(sender, open.id, 'recipient', { recipient: friend.handle, expectedVersion: 1 })).toMatchObject(refusal);
    expect(await send(sender, { kind: 'gift', amount: 1, recipient: friend.handle })).toMatchObject(refusal);
    expect(await earned(sender)).toEqual(has(2, 8));
    await block(friend, false);
    expect((await p.move(friend, confirmed.id, 'accept')).status).toBe(200);
  });

  it('[offers.blocked] is paid or blocked, raced on two nodes: never paid after it was blocked', async () => {
    const sender = await p.holder(100);
    for (let round = 0; round < 6; round++) {
      const friend = await p.holder();
      const { id } = await p.offer(sender, 1, { recipient: friend.handle });
      const [answer] = await Promise.all([factories(other).send('POST', `/api/v1/offers/${id}/accept`, { key: friend.key }), block(friend)]);
      const { state } = await read(sender, id);
      expect([answer.status, state]).toEqual(answer.status === 200 ? [200, 'accepted'] : [403, 'confirmed']);
    }
  });
});
