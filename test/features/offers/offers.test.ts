import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { offerMachine } from '../../../src/features/offers/transitions.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, runConcurrently } from '../../support/factories.ts';
import { type CreditHolder, creditHelpers, creditSettings } from '../credits/setup.ts';

const app = await startApp({ ...creditSettings, INTERACTIONS_ENABLED: 'on' });
const other = await app.startNode();
const f = factories(app);
const p = creditHelpers(app, f);

const send = (agent: CreditHolder, body: object, node = f) =>
  node.send('POST', '/api/v1/offers', { key: agent.key, body });
const buildBalance = (available: number, reserved = 0) => ({ available, reserved });
const ada = await p.createHolder(1000);
const bob = await p.createHolder();
const eve = await p.createHolder();

describe('offers', () => {
  it('[offers.create] [offers.paid] [offers.version] reserve units and pay them', async () => {
    const sender = await p.createHolder(100);
    const friend = await p.createHolder();
    const made = await p.createOffer(sender, 30, { note: 'Thanks' });
    expect(made).toEqual({
      id: expect.any(String),
      version: 1,
      state: 'reserved',
      updatedAt: expect.any(String),
      receiptId: null,
    });
    expect(await p.getEarned(sender)).toEqual(buildBalance(70, 30));
    expect(
      (
        await p.sendOfferStep(sender, made.id, 'recipient', {
          recipient: friend.handle,
          expectedVersion: 1,
        })
      ).body,
    ).toMatchObject({
      version: 2,
      state: 'confirmed',
    });
    app.clock.advance(1000);
    const accepted = (await p.sendOfferStep(friend, made.id, 'accept', { expectedVersion: 2 }))
      .body;
    expect(accepted).toMatchObject({
      version: 3,
      state: 'accepted',
      receiptId: expect.any(String),
    });
    expect({
      sender: await p.getEarned(sender),
      recipient: await p.getEarned(friend),
    }).toEqual({ sender: buildBalance(70), recipient: buildBalance(30) });
    const { revisions, ...row } = await p.getOffer(friend, made.id);
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
      revisions.map(({ version, state, authorId }: Json) => [version, state, authorId]),
    ).toEqual([
      [1, 'reserved', sender.id],
      [2, 'confirmed', sender.id],
      [3, 'accepted', friend.id],
    ]);
    // The step is repeated with another key, and it is already done.
    expect(await p.sendOfferStep(friend, made.id, 'accept')).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'accepted' }),
    );
  });

  it('[offers.transitions] [offers.paid] can be declined, confirmed and cancelled', async () => {
    const sender = await p.createHolder(10);
    const { id, state } = await p.createOffer(sender, 10, { recipient: bob.id.toUpperCase() });
    expect(state).toBe('confirmed');
    expect((await p.sendOfferStep(bob, id, 'decline')).body).toMatchObject({
      state: 'reserved',
      version: 2,
    });
    expect(await p.sendOfferStep(bob, id, 'accept')).toMatchObject(buildProblem(404, 'not_found'));
    expect(await p.getEarned(sender)).toEqual(buildBalance(0, 10));
    expect(
      (
        await p.sendOfferStep(sender, id, 'recipient', {
          recipient: `@${eve.handle.toUpperCase()}`,
          expectedVersion: 2,
        })
      ).status,
    ).toBe(200);
    expect(
      await p.sendOfferStep(sender, id, 'recipient', { recipient: bob.handle, expectedVersion: 3 }),
    ).toMatchObject(buildProblem(409, 'state_conflict', { state: 'confirmed' }));
    expect((await p.sendOfferStep(sender, id, 'cancel')).body).toMatchObject({
      state: 'cancelled',
      version: 4,
    });
    expect(await p.getEarned(sender)).toEqual(buildBalance(10));
    for (const [agent, step] of [
      [eve, 'accept'],
      [eve, 'decline'],
      [sender, 'cancel'],
    ] as const)
      expect(await p.sendOfferStep(agent, id, step)).toMatchObject(
        buildProblem(409, 'state_conflict', { state: 'cancelled' }),
      );
  });

  it('[attack.6-4] do not tell a recipient whom the sender had named before', async () => {
    const sender = await p.createHolder(10);
    const { id } = await p.createOffer(sender, 10, { recipient: bob.handle });
    await p.sendOfferStep(bob, id, 'decline');
    const name = (who: CreditHolder, expectedVersion: number) =>
      p.sendOfferStep(sender, id, 'recipient', { recipient: who.handle, expectedVersion });
    await name(eve, 2);
    const read = async (who: CreditHolder) => {
      const { text, body } = await f.send('GET', `/api/v1/offers/${id}`, { key: who.key });
      return { text, versions: body.revisions?.map(({ version }: Json) => version) };
    };
    const seen = await read(eve);
    expect(seen.versions).toEqual([3]);
    for (const trace of [bob.id, bob.handle]) expect(seen.text).not.toContain(trace);
    expect((await read(sender)).versions).toEqual([1, 2, 3]);
    await p.sendOfferStep(eve, id, 'decline', { expectedVersion: 3 });
    await name(bob, 4);
    expect((await read(bob)).versions).toEqual([5]);
    await p.sendOfferStep(sender, id, 'cancel', { expectedVersion: 5 });
    expect((await read(bob)).versions).toEqual([5, 6]);
  });

  it('[offers.parties] [offers.list] are visible to their parties alone', async () => {
    const sender = await p.createHolder(10);
    const friend = await p.createHolder();
    const stranger = await p.createHolder();
    const mine = await p.createOffer(sender, 3, { recipient: friend.handle });
    const open = await p.createOffer(sender, 2);
    const list = async (agent: CreditHolder, query = '') =>
      (await f.ok('GET', `/api/v1/offers${query}`, { key: agent.key })).map(({ id }: Json) => id);
    expect({
      all: await list(sender),
      asSender: await list(sender, '?role=sender'),
      asRecipient: await list(sender, '?role=recipient'),
    }).toEqual({
      all: [open.id, mine.id],
      asSender: [open.id, mine.id],
      asRecipient: [],
    });
    expect({
      all: await list(friend),
      asRecipient: await list(friend, '?role=recipient'),
      asSender: await list(friend, '?role=sender'),
      ofStranger: await list(stranger, '?limit=100'),
    }).toEqual({
      all: [mine.id],
      asRecipient: [mine.id],
      asSender: [],
      ofStranger: [],
    });
    expect(
      (await f.listPages('/api/v1/offers?limit=1', { key: sender.key }))
        .flat()
        .map(({ id }: Json) => id),
    ).toEqual([open.id, mine.id]);
    expect(await f.send('GET', '/api/v1/offers?role=owner', { key: sender.key })).toMatchObject(
      buildProblem(400, 'invalid_request'),
    );
    for (const step of ['accept', 'decline'] as const)
      expect(await p.sendOfferStep(sender, mine.id, step)).toMatchObject(
        buildProblem(403, 'forbidden'),
      );
    expect(await p.sendOfferStep(friend, mine.id, 'cancel')).toMatchObject(
      buildProblem(403, 'forbidden'),
    );
    expect(
      await p.sendOfferStep(friend, mine.id, 'recipient', {
        recipient: friend.handle,
        expectedVersion: 1,
      }),
    ).toMatchObject(buildProblem(403, 'forbidden'));
    const before = await p.listStoredRows();
    for (const id of [mine.id, open.id, sender.id]) {
      expect(await f.send('GET', `/api/v1/offers/${id}`, { key: stranger.key })).toMatchObject(
        buildProblem(404, 'not_found'),
      );
      for (const step of ['accept', 'decline', 'cancel'])
        expect(await p.sendOfferStep(stranger, id, step)).toMatchObject(
          buildProblem(404, 'not_found'),
        );
    }
    expect(await p.sendOfferStep(friend, open.id, 'accept')).toMatchObject(
      buildProblem(404, 'not_found'),
    );
    expect(await p.listStoredRows()).toEqual(before);
  });

  it('[offers.version] change in the expected version only, once in a race', async () => {
    const sender = await p.createHolder(5);
    const { id } = await p.createOffer(sender, 5, { recipient: bob.handle });
    const before = await p.listStoredRows();
    for (const [agent, step] of [
      [bob, 'accept'],
      [bob, 'decline'],
      [sender, 'cancel'],
    ] as const)
      expect(await p.sendOfferStep(agent, id, step, { expectedVersion: 2 })).toMatchObject(
        buildProblem(409, 'version_conflict', { currentVersion: 1 }),
      );
    expect(await p.sendOfferStep(sender, id, 'recipient', { recipient: eve.handle })).toMatchObject(
      buildProblem(400, 'invalid_request'),
    );
    expect(await p.listStoredRows()).toEqual(before);
    await p.sendOfferStep(bob, id, 'decline');
    const answers = await runConcurrently(6, (n) =>
      f.send('POST', `/api/v1/offers/${id}/recipient`, {
        key: sender.key,
        body: { recipient: n % 2 ? eve.handle : bob.handle, expectedVersion: 2 },
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(buildProblem(409, 'version_conflict', { currentVersion: 3 }));
  });
});

describe('the table in docs/credits.md', () => {
  it('[offers.transitions] matches the transitions of the code', () => {
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
    const edges = Object.entries(offerMachine).flatMap(([state, steps]) =>
      Object.entries(steps).map(([step, next]) => [state, step, next]),
    );
    expect(rows.sort()).toEqual(edges.sort());
    expect(edges).toHaveLength(7);
  });
});

describe('units of createOffer', () => {
  it('[offers.insufficient] [offers.trial] must be available earned units', async () => {
    const poor = await p.createHolder();
    const sender = await p.createHolder(10);
    await f.ok('POST', '/api/v1/enrollment', { key: poor.key });
    const before = await p.listStoredRows();
    for (const amount of [1, 100, Number.MAX_SAFE_INTEGER])
      expect(await send(poor, { kind: 'gift', amount, recipient: bob.handle })).toMatchObject(
        buildProblem(422, 'insufficient_funds'),
      );
    expect(await send(poor, { kind: 'gift', amount: 1, unit: 'trial' })).toMatchObject(
      buildProblem(400, 'invalid_request'),
    );
    expect(await p.listStoredRows()).toEqual(before);
    const answers = await runConcurrently(8, (n) =>
      send(sender, { kind: 'gift', amount: 3 }, n % 2 ? f : factories(other)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([
      200, 200, 200, 422, 422, 422, 422, 422,
    ]);
    expect(await p.getEarned(sender)).toEqual(buildBalance(1, 9));
  });

  it('[offers.input] are whole and positive, or nothing moves', async () => {
    const before = await p.listStoredRows();
    for (const amount of [0, -1, 0.5, 1e30, 2 ** 53, '5', null, [5], { n: 5 }])
      expect(await send(ada, { kind: 'gift', amount }), String(amount)).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    for (const body of [
      { kind: 'loan', amount: 1 },
      { amount: 1 },
      { kind: 'gift' },
      { kind: 'gift', amount: 1, note: 'x'.repeat(1001) },
      { kind: 'gift', amount: 1, recipient: 'x' },
    ])
      expect(await send(ada, body)).toMatchObject(buildProblem(400, 'invalid_request'));
    for (const recipient of [
      'nobody-at-all',
      '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
      'not-a-uuid-but-thirty-six-chars-long',
    ])
      expect(await send(ada, { kind: 'gift', amount: 1, recipient })).toMatchObject(
        buildProblem(404, 'not_found'),
      );
    expect(await p.listStoredRows()).toEqual(before);
  });
});
