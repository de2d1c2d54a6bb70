import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { connect } from '../../edges/mcp/mcp-client.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import {
  type Answer,
  buildProblem,
  factories,
  type Json,
  runConcurrently,
} from '../../support/factories.ts';
import { type CreditHolder, creditHelpers, creditSettings } from './setup.ts';

const app = await startApp(creditSettings);
const other = await app.startNode();
const { db } = app.app.env;
const f = factories(app);
const p = creditHelpers(app, f);

const noUnits = { available: 0, reserved: 0 };
const enroll = (agent: { key: string }, node = f, idem?: string) =>
  node.send('POST', '/api/v1/enrollment', { key: agent.key, ...(idem && { idem }) });
const compensate = (transactionId: string, amount: unknown, node = f): Promise<Answer<Json>> =>
  node.send('POST', '/api/v1/admin/compensations', {
    admin: true,
    body: { transactionId, amount, reason: 'A mistake.' },
  });
const listEntries = (agent: CreditHolder, query = ''): Promise<Json[]> =>
  f.ok('GET', `/api/v1/me/wallet/entries${query}`, { key: agent.key });

describe('enroll', () => {
  it('[credits.enrollment] [credits.enrollment-read] grants 100 trial units once', async () => {
    const ada = await p.createHolder();
    expect(await f.send('GET', '/api/v1/enrollment', { key: ada.key })).toMatchObject({
      status: 200,
      body: null,
    });
    const answers = await runConcurrently(8, (n) => enroll(ada, n % 2 ? f : factories(other)));
    const granted = answers.filter(({ status }) => status === 200);
    expect(granted).toHaveLength(1);
    const enrollment = granted[0]?.body;
    expect(enrollment).toMatchObject({ unit: 'trial', amount: 100 });
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(
        buildProblem(409, 'already_exists', { existingId: enrollment.id }),
      );
    expect(await f.ok('GET', '/api/v1/enrollment', { key: ada.key })).toEqual(enrollment);
    expect(await p.getBalances(ada)).toEqual({
      trial: { available: 100, reserved: 0 },
      earned: noUnits,
    });
    expect(await listEntries(ada)).toMatchObject([
      {
        transactionId: enrollment.transactionId,
        kind: 'credits.enrolled',
        amount: 100,
        balanceAfter: 100,
      },
    ]);
    expect(await enroll(ada, f, 'again')).toMatchObject(buildProblem(409, 'already_exists'));
  });

  it('[credits.issuance] is refused without the ISSUANCE setting, and nothing moves', async () => {
    const dry = await app.startNode({ ISSUANCE_ENABLED: 'off' });
    const ada = await p.createHolder();
    const before = await p.listStoredRows();
    expect(await enroll(ada, factories(dry))).toMatchObject(
      buildProblem(403, 'capability_disabled', { capability: 'issuance' }),
    );
    expect(await p.listStoredRows()).toEqual(before);
    for (const [node, issuance] of [
      [dry, false],
      [app, true],
    ] as const)
      expect((await factories(node).ok('GET', '/api/v1/capabilities')).credits).toEqual({
        enabled: true,
        issuance,
      });
    expect(
      (await factories(dry).ok('GET', '/api/v1/me/wallet', { key: ada.key })).balances.trial,
    ).toEqual(noUnits);
  });

  it('[credits.scope] needs a key with the scope and the active capability', async () => {
    const ada = await p.createHolder(1);
    for (const [method, path] of [
      ['POST', '/api/v1/enrollment'],
      ['GET', '/api/v1/enrollment'],
      ['GET', '/api/v1/me/wallet'],
      ['GET', '/api/v1/me/wallet/entries'],
      ['GET', '/api/v1/offers'],
    ] as const)
      expect(await f.send(method, path, { key: ada.forumKey }), path).toMatchObject(
        buildProblem(403, 'insufficient_scope', { requiredScope: 'credits' }),
      );
    await f.grantCapability(ada, 'credits', 'revoked');
    for (const path of ['/api/v1/me/wallet', '/api/v1/offers'])
      expect(await f.send('GET', path, { key: ada.key })).toMatchObject(
        buildProblem(403, 'capability_revoked'),
      );
    await f.grantCapability(ada, 'credits');
    expect((await p.getBalances(ada)).earned.available).toBe(1);
  });

  it('[credits.switches] is refused while credits are off, and existing data stays', async () => {
    const ada = await p.createHolder(3);
    const off = await app.startNode({ CREDITS_ENABLED: 'off', OFFERS_ENABLED: 'off' });
    const plain = await app.startNode({ OFFERS_ENABLED: 'off' });
    for (const path of ['/api/v1/me/wallet', '/api/v1/subsidies', '/api/v1/offers'])
      expect(await factories(off).send('GET', path, { key: ada.key })).toMatchObject(
        buildProblem(403, 'capability_disabled'),
      );
    expect(await factories(plain).send('GET', '/api/v1/offers', { key: ada.key })).toMatchObject(
      buildProblem(403, 'capability_disabled', { capability: 'offers' }),
    );
    expect(
      (await factories(plain).ok('GET', '/api/v1/me/wallet', { key: ada.key })).balances.earned
        .available,
    ).toBe(3);
    const listTools = async (node: TestApp) =>
      (await (await connect(node.url, { 'x-api-key': ada.key })).client.listTools()).tools.map(
        ({ name }) => name,
      );
    const ofOffers = [
      'create_offer',
      'list_offers',
      'get_offer',
      'confirm_offer_recipient',
      'accept_offer',
      'decline_offer',
      'cancel_offer',
    ];
    const ofCredits = [
      'enroll',
      'get_enrollment',
      'get_wallet',
      'list_wallet_entries',
      'list_subsidies',
    ];
    expect(await listTools(app)).toEqual(expect.arrayContaining([...ofCredits, ...ofOffers]));
    expect(
      (await listTools(plain)).filter((name) => [...ofCredits, ...ofOffers].includes(name)).sort(),
    ).toEqual(ofCredits.sort());
    expect(
      (await listTools(off)).filter((name) => [...ofCredits, ...ofOffers].includes(name)),
    ).toEqual([]);
    await expect(app.startNode({ CREDITS_ENABLED: 'off' })).rejects.toThrow(
      'OFFERS_ENABLED needs CREDITS_ENABLED=on as well.',
    );
  });
});

describe('getWallet', () => {
  it('[wallet.balances] [wallet.entries] and listWalletEntries show every entry', async () => {
    const ada = await p.createHolder(40);
    const bob = await p.createHolder();
    await enroll(ada);
    for (let n = 0; n < 3; n++)
      await p.sendOfferStep(
        bob,
        (await p.createOffer(ada, 10, { recipient: bob.id })).id,
        n === 1 ? 'decline' : 'accept',
      );
    const wallet = await f.ok('GET', '/api/v1/me/wallet', { key: ada.key });
    expect(wallet.balances).toEqual({
      trial: { available: 100, reserved: 0 },
      earned: { available: 10, reserved: 10 },
    });
    const all = await listEntries(ada);
    expect(wallet.entries).toEqual(all);
    expect(all).toHaveLength(10);
    for (const [unit, account] of [
      ['earned', 'available'],
      ['earned', 'reserved'],
      ['trial', 'available'],
    ]) {
      let balance = 0;
      for (const entry of all
        .filter((one) => one.unit === unit && one.account === account)
        .reverse()) {
        balance += entry.amount;
        expect(entry.balanceAfter).toBe(balance);
      }
    }
    const pages = await f.listPages('/api/v1/me/wallet/entries?limit=3', { key: ada.key });
    expect(pages.map((one) => one.length)).toEqual([3, 3, 3, 1]);
    expect(pages.flat()).toEqual(all);
    expect(
      (await f.send('GET', '/api/v1/me/wallet/entries?limit=1', { key: ada.key })).headers.get(
        'x-total-count',
      ),
    ).toBe('10');
    expect(await listEntries(ada, '?offset=10')).toEqual([]);
  });

  it('[wallet.private] is private to its agent and must not be cached', async () => {
    const ada = await p.createHolder(77);
    const eve = await p.createHolder();
    const { transactionId } = (await listEntries(ada))[0];
    for (const path of ['/api/v1/me/wallet', '/api/v1/me/wallet/entries']) {
      expect((await f.send('GET', path, { key: ada.key })).headers.get('cache-control')).toBe(
        'private, no-store',
      );
      expect((await f.send('GET', path, { key: eve.key })).text).not.toMatch(
        new RegExp(`${transactionId}|${ada.id}|77`),
      );
      expect(await f.send('GET', path, { admin: true })).toMatchObject(
        buildProblem(401, 'unauthenticated'),
      );
    }
    for (const path of [`/api/v1/agents/${ada.handle}/wallet`, `/api/v1/wallets/${ada.id}`])
      expect((await f.send('GET', path, { key: eve.key })).status).toBe(404);
  });
});

describe('createSubsidy', () => {
  it('[subsidies.public] [subsidies.source] lists a subsidy and the use of its units', async () => {
    const before = await f.ok('GET', '/api/v1/subsidies');
    const limits = {
      perTask: 10,
      perOperator: 200,
      perDay: 50,
      expiresAt: new Date(app.clock() + 1000).toISOString(),
    };
    const { id, transactionId } = await p.subsidy(1000, { name: 'Spring reviews', ...limits });
    const findSubsidy = async () =>
      (await f.ok('GET', '/api/v1/subsidies')).find((one: Json) => one.id === id);
    const row = {
      id,
      name: 'Spring reviews',
      ...limits,
      state: 'open',
      amount: 1000,
      withdrawn: 0,
      remaining: 1000,
      reserved: 0,
      paid: 0,
      leftForMe: null,
      createdAt: expect.any(String),
    };
    expect(await findSubsidy()).toEqual(row);
    expect(await f.ok('GET', '/api/v1/subsidies')).toHaveLength(before.length + 1);
    expect((await compensate(transactionId, 300)).status).toBe(200);
    expect(await findSubsidy()).toEqual({ ...row, withdrawn: 300, remaining: 700 });
    app.clock.advance(1000);
    expect((await findSubsidy()).state).toBe('expired');
    const mistaken = await compensate(transactionId, 700);
    expect(mistaken.status).toBe(200);
    // A compensation that was itself compensated counts as part of the grant again, and so on.
    const again = await compensate(mistaken.body.id, 500);
    expect(await findSubsidy()).toMatchObject({
      amount: 1000,
      withdrawn: 500,
      remaining: 500,
      paid: 0,
    });
    expect((await compensate(again.body.id, 100)).status).toBe(200);
    expect(await findSubsidy()).toMatchObject({
      amount: 1000,
      withdrawn: 600,
      remaining: 400,
      paid: 0,
    });
    const audit = await f.ok('GET', '/api/v1/admin/audit?limit=5', { admin: true });
    expect(audit.map(({ action }: Json) => action)).toEqual(
      expect.arrayContaining(['subsidy.granted', 'transaction.compensated']),
    );
    expect(audit.find(({ targetId }: Json) => targetId === id).facts).toMatchObject({
      amount: 1000,
      transactionId,
    });
  });

  it('[subsidies.input] [subsidies.day-limit] createSubsidy issues whole units', async () => {
    const before = await p.listStoredRows();
    const past = new Date(app.clock()).toISOString();
    for (const wrong of [0, -1, 1.5, 1e30, 2 ** 53, '5', null, true, [1], Number.NaN])
      expect(
        await f.send('POST', '/api/v1/admin/subsidies', {
          admin: true,
          body: { name: 'X', amount: wrong, perDay: 1 },
        }),
        String(wrong),
      ).toMatchObject(buildProblem(400, 'invalid_request'));
    for (const more of [
      { perTask: 0 },
      { perOperator: -1 },
      { perDay: '1' },
      { perDay: undefined },
      { perDay: null },
      { expiresAt: past },
      { expiresAt: 'soon' },
      { name: '' },
    ])
      expect(
        await f.send('POST', '/api/v1/admin/subsidies', {
          admin: true,
          body: { name: 'X', amount: 1, perDay: 1, ...more },
        }),
        JSON.stringify(more),
      ).toMatchObject(buildProblem(400, 'invalid_request'));
    expect(
      await f.send('POST', '/api/v1/admin/subsidies', {
        admin: true,
        body: { name: 'X', amount: Number.MAX_SAFE_INTEGER, perDay: 1 },
      }),
    ).toMatchObject(buildProblem(422, 'limit_exceeded', { limit: Number.MAX_SAFE_INTEGER }));
    expect(await p.listStoredRows()).toEqual(before);
  });
});

describe('compensate', () => {
  it('[credits.compensation] returns units and keeps the first transfer', async () => {
    const ada = await p.createHolder(30);
    const bob = await p.createHolder();
    await p.sendOfferStep(bob, (await p.createOffer(ada, 30, { recipient: bob.id })).id, 'accept');
    const [paid] = await listEntries(bob);
    const answer = await compensate(paid.transactionId, 10);
    expect(answer.body).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      transactionId: paid.transactionId,
      amount: 10,
      uncompensated: 20,
    });
    expect({
      ada: (await p.getBalances(ada)).earned,
      bob: (await p.getBalances(bob)).earned,
    }).toEqual({
      ada: { available: 10, reserved: 0 },
      bob: { available: 20, reserved: 0 },
    });
    expect(await listEntries(bob)).toMatchObject([
      { kind: 'compensation', amount: -10, transactionId: answer.body.id },
      paid,
    ]);
    expect(
      await db.first(sql`
        SELECT compensates
        FROM ledger_transactions
        WHERE id = ${answer.body.id}
      `),
    ).toEqual({ compensates: paid.transactionId });
    // A mistaken compensation is compensated like any other transfer.
    expect((await compensate(answer.body.id, 10)).body).toMatchObject({ uncompensated: 0 });
    expect((await p.getBalances(bob)).earned.available).toBe(30);
    expect((await compensate(paid.transactionId, 20)).body).toMatchObject({ uncompensated: 0 });
  });

  it('[credits.compensation-most] returns at most what is left and available', async () => {
    const ada = await p.createHolder();
    const bob = await p.createHolder();
    const paid = await p.payFromGrant(ada, 10);
    const answers = await runConcurrently(6, (n) =>
      compensate(paid, 4, n % 2 ? f : factories(other)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422, 422, 422]);
    expect(await compensate(paid, 3)).toMatchObject(
      buildProblem(422, 'limit_exceeded', { limit: 2 }),
    );
    const again = await p.payFromGrant(ada, 8);
    await p.createOffer(ada, 9, { recipient: bob.id });
    expect(await compensate(again, 2)).toMatchObject(buildProblem(422, 'insufficient_funds'));
    expect((await compensate(again, 1)).status).toBe(200);
    expect((await p.getBalances(ada)).earned).toEqual({ available: 0, reserved: 9 });
  });

  it('[credits.compensation] rejects reservations and invalid units', async () => {
    const ada = await p.createHolder(10);
    await p.createOffer(ada, 5);
    const [reserved] = await listEntries(ada);
    const before = await p.listStoredRows();
    expect(await compensate(reserved.transactionId, 5)).toMatchObject(
      buildProblem(409, 'state_conflict', { state: 'offer.reserved' }),
    );
    expect(await compensate(ada.id, 5)).toMatchObject(buildProblem(404, 'not_found'));
    for (const wrong of [0, -5, 0.5, '5', 1e30])
      expect(await compensate(reserved.transactionId, wrong)).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    expect(await p.listStoredRows()).toEqual(before);
  });
});

describe('receipts of credits', () => {
  it('[credits.receipts] are private to the streams of the parties', async () => {
    const ada = await p.createHolder(10);
    const bob = await p.createHolder();
    const eve = await p.createHolder();
    const { receiptId: enrolled } = (await enroll(ada)).body;
    const { receiptId: accepted } = (
      await p.sendOfferStep(bob, (await p.createOffer(ada, 5, { recipient: bob.id })).id, 'accept')
    ).body;
    const keys: Record<string, string> = {};
    for (const agent of [ada, bob, eve]) {
      await f.grantCapability(agent, 'credentials');
      keys[agent.handle] = (
        await f.createScopedKey({ ...agent, key: agent.forumKey }, ['forum', 'credentials'])
      ).apiKey;
    }
    const read = (id: string, agent: CreditHolder) =>
      f.sendForOutcome('GET', `/api/v1/portable-events/${id}`, { key: keys[agent.handle] });
    expect({ ada: await read(enrolled, ada), bob: await read(enrolled, bob) }).toEqual({
      ada: '200',
      bob: '404 not_found',
    });
    expect({
      ada: await read(accepted, ada),
      bob: await read(accepted, bob),
      eve: await read(accepted, eve),
    }).toEqual({ ada: '200', bob: '200', eve: '404 not_found' });
    await app.app.jobs.runDue();
    const listMyReceipts = async (agent: CreditHolder): Promise<Json[]> =>
      (await f.ok('GET', '/api/v1/me/events', { key: keys[agent.handle] })).events;
    expect((await listMyReceipts(ada)).map(({ summary }) => summary)).toEqual([
      `@${ada.handle} made its enrollment in credits`,
      `@${bob.handle} accepted a gift of 5 earned units`,
    ]);
    expect((await listMyReceipts(bob)).map(({ kind }) => kind)).toEqual(['offer.accepted']);
    expect(await listMyReceipts(eve)).toEqual([]);
  });
});
