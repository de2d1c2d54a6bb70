import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { machine } from '../../../src/features/offers/transitions.ts';
import { startApp } from '../../support/app.ts';
import { CREDITS, type Holder, purses } from '../credits/setup.ts';
import { factories, type Loose, refused, together } from '../../support/factories.ts';

const app = await startApp({ ...CREDITS, INTERACTIONS_ENABLED: 'on' });
const other = await app.another();
const f = factories(app);
const p = purses(app, f);

const send = (agent: Holder, body: object, node = f) =>
  node.send('POST', '/api/v1/offers', { key: agent.key, body });
const has = (available: number, reserved = 0) => ({ available, reserved });
const [ada, bob, eve] = [await p.holder(1000), await p.holder(), await p.holder()];

describe('an offer', () => {
  it('[offers.create] [offers.paid] [offers.version] sets units aside and pays them', async () => {
    const [sender, friend] = [await p.holder(100), await p.holder()];
    const made = await p.offer(sender, 30, { note: 'Thanks' });
    expect(made).toEqual({
      id: expect.any(String),
      version: 1,
      state: 'reserved',
      updatedAt: expect.any(String),
      receiptId: null,
    });
    expect(await p.earned(sender)).toEqual(has(70, 30));
    expect(
      (await p.move(sender, made.id, 'recipient', { recipient: friend.handle, expectedVersion: 1 }))
        .body,
    ).toMatchObject({
      version: 2,
      state: 'confirmed',
    });
    app.clock.advance(1000);
    const accepted = (await p.move(friend, made.id, 'accept', { expectedVersion: 2 })).body;
    expect(accepted).toMatchObject({
      version: 3,
      state: 'accepted',
      receiptId: expect.any(String),
    });
    expect([await p.earned(sender), await p.earned(friend)]).toEqual([has(70), has(30)]);
    const { revisions, ...row } = await p.read(friend, made.id);
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
    expect(
      revisions.map(({ version, state, authorId }: Loose) => [version, state, authorId]),
    ).toEqual([
      [1, 'reserved', sender.id],
      [2, 'confirmed', sender.id],
      [3, 'accepted', friend.id],
    ]);
    // The same step again, with another key: it was done.
    expect(await p.move(friend, made.id, 'accept')).toMatchObject(
      refused(409, 'state_conflict', { state: 'accepted' }),
    );
  });

  it('[offers.transitions] [offers.paid] can be declined, confirmed for another, and cancelled', async () => {
    const sender = await p.holder(10);
    const { id, state } = await p.offer(sender, 10, { recipient: bob.id.toUpperCase() });
    expect(state).toBe('confirmed');
    expect((await p.move(bob, id, 'decline')).body).toMatchObject({
      state: 'reserved',
      version: 2,
    });
    expect(await p.move(bob, id, 'accept')).toMatchObject(refused(404, 'not_found'));
    expect(await p.earned(sender)).toEqual(has(0, 10));
    expect(
      (
        await p.move(sender, id, 'recipient', {
          recipient: `@${eve.handle.toUpperCase()}`,
          expectedVersion: 2,
        })
      ).status,
    ).toBe(200);
    expect(
      await p.move(sender, id, 'recipient', { recipient: bob.handle, expectedVersion: 3 }),
    ).toMatchObject(refused(409, 'state_conflict', { state: 'confirmed' }));
    expect((await p.move(sender, id, 'cancel')).body).toMatchObject({
      state: 'cancelled',
      version: 4,
    });
    expect(await p.earned(sender)).toEqual(has(10));
    for (const [agent, step] of [
      [eve, 'accept'],
      [eve, 'decline'],
      [sender, 'cancel'],
    ] as const)
      expect(await p.move(agent, id, step)).toMatchObject(
        refused(409, 'state_conflict', { state: 'cancelled' }),
      );
  });

  it('[offers.parties] [offers.list] is known to its parties alone', async () => {
    const [sender, friend, stranger] = [await p.holder(10), await p.holder(), await p.holder()];
    const [mine, open] = [
      await p.offer(sender, 3, { recipient: friend.handle }),
      await p.offer(sender, 2),
    ];
    const list = async (agent: Holder, query = '') =>
      (await f.ok('GET', `/api/v1/offers${query}`, { key: agent.key })).map(({ id }: Loose) => id);
    expect([
      await list(sender),
      await list(sender, '?role=sender'),
      await list(sender, '?role=recipient'),
    ]).toEqual([[open.id, mine.id], [open.id, mine.id], []]);
    expect([
      await list(friend),
      await list(friend, '?role=recipient'),
      await list(friend, '?role=sender'),
      await list(stranger, '?limit=100'),
    ]).toEqual([[mine.id], [mine.id], [], []]);
    expect(
      (await f.walk('/api/v1/offers?limit=1', { key: sender.key }))
        .flat()
        .map(({ id }: Loose) => id),
    ).toEqual([open.id, mine.id]);
    expect(await f.send('GET', '/api/v1/offers?role=owner', { key: sender.key })).toMatchObject(
      refused(400, 'invalid_request'),
    );
    for (const step of ['accept', 'decline'] as const)
      expect(await p.move(sender, mine.id, step)).toMatchObject(refused(403, 'forbidden'));
    expect(await p.move(friend, mine.id, 'cancel')).toMatchObject(refused(403, 'forbidden'));
    expect(
      await p.move(friend, mine.id, 'recipient', { recipient: friend.handle, expectedVersion: 1 }),
    ).toMatchObject(refused(403, 'forbidden'));
    const before = await p.stored();
    for (const id of [mine.id, open.id, sender.id]) {
      expect(await f.send('GET', `/api/v1/offers/${id}`, { key: stranger.key })).toMatchObject(
        refused(404, 'not_found'),
      );
      for (const step of ['accept', 'decline', 'cancel'])
        expect(await p.move(stranger, id, step)).toMatchObject(refused(404, 'not_found'));
    }
    expect(await p.move(friend, open.id, 'accept')).toMatchObject(refused(404, 'not_found'));
    expect(await p.stored()).toEqual(before);
  });

  it('[offers.version] with a wrong expectedVersion changes nothing; of two steps at once one wins', async () => {
    const sender = await p.holder(5);
    const { id } = await p.offer(sender, 5, { recipient: bob.handle });
    const before = await p.stored();
    for (const [agent, step] of [
      [bob, 'accept'],
      [bob, 'decline'],
      [sender, 'cancel'],
    ] as const)
      expect(await p.move(agent, id, step, { expectedVersion: 2 })).toMatchObject(
        refused(409, 'version_conflict', { currentVersion: 1 }),
      );
    expect(await p.move(sender, id, 'recipient', { recipient: eve.handle })).toMatchObject(
      refused(400, 'invalid_request'),
    );
    expect(await p.stored()).toEqual(before);
    await p.move(bob, id, 'decline');
    const answers = await together(6, (n) =>
      f.send('POST', `/api/v1/offers/${id}/recipient`, {
        key: sender.key,
        body: { recipient: n % 2 ? eve.handle : bob.handle, expectedVersion: 2 },
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(refused(409, 'version_conflict', { currentVersion: 3 }));
  });
});

describe('the table in docs/credits.md', () => {
  it('[offers.transitions] is that of the code', () => {
    const page = readFileSync(new URL('../../../docs/credits.md', import.meta.url), 'utf8');
    const words: Record<string, string> = {
      recipient: 'confirm',
      'a gift: 7 days since it was made': 'expire',
    };
    const rows = [...page.matchAll(/^\| (`[^|]+`) \| (\w+) \| ([^|]+) \| `(\w+)` \|/gm)].flatMap(
      ([, from = '', , step = '', to]) =>
        [...from.matchAll(/\w+/g)].map(([state]) => [
          state,
          words[step.replaceAll('`', '')] ?? step.replaceAll('`', ''),
          to,
        ]),
    );
    const edges = Object.entries(machine).flatMap(([state, steps]) =>
      Object.entries(steps).map(([step, next]) => [state, step, next]),
    );
    expect(rows.sort()).toEqual(edges.sort());
    expect(edges).toHaveLength(7);
  });
});

describe('units', () => {
  it('[offers.insufficient] [offers.trial] that are not there, or are trial units, cannot be offered', async () => {
    const [poor, sender] = [await p.holder(), await p.holder(10)];
    await f.ok('POST', '/api/v1/enrollment', { key: poor.key });
    const before = await p.stored();
    for (const amount of [1, 100, Number.MAX_SAFE_INTEGER])
      expect(await send(poor, { kind: 'gift', amount, recipient: bob.handle })).toMatchObject(
        refused(422, 'insufficient_funds'),
      );
    expect(await send(poor, { kind: 'gift', amount: 1, unit: 'trial' })).toMatchObject(
      refused(400, 'invalid_request'),
    );
    expect(await p.stored()).toEqual(before);
    const answers = await together(8, (n) =>
      send(sender, { kind: 'gift', amount: 3 }, n % 2 ? f : factories(other)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200, 200, 200, 422, 422, 422, 422, 422,
    ]);
    expect(await p.earned(sender)).toEqual(has(1, 9));
  });

  it('[offers.input] are whole and positive, or nothing moves', async () => {
    const before = await p.stored();
    for (const amount of [0, -1, 0.5, 1e30, 2 ** 53, '5', null, [5], { n: 5 }])
      expect(await send(ada, { kind: 'gift', amount }), String(amount)).toMatchObject(
        refused(400, 'invalid_request'),
      );
    for (const body of [
      { kind: 'loan', amount: 1 },
      { amount: 1 },
      { kind: 'gift' },
      { kind: 'gift', amount: 1, note: 'x'.repeat(1001) },
      { kind: 'gift', amount: 1, recipient: 'x' },
    ])
      expect(await send(ada, body)).toMatchObject(refused(400, 'invalid_request'));
    for (const recipient of [
      'nobody-at-all',
      '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
      'not-a-uuid-but-thirty-six-chars-long',
    ])
      expect(await send(ada, { kind: 'gift', amount: 1, recipient })).toMatchObject(
        refused(404, 'not_found'),
      );
    expect(await p.stored()).toEqual(before);
  });
});
