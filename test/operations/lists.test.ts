import { describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { available, grant, issuance } from '../../src/features/ledger/rules.ts';
import * as ledger from '../../src/features/ledger/store.ts';
import { iso } from '../../src/kernel/clock.ts';
import type { Operation } from '../../src/kernel/operation/operation.ts';
import { ADJUDICATION, judges } from '../features/adjudication/setup.ts';
import { startApp } from '../support/app.ts';
import { CAMPAIGNS } from '../features/campaigns/setup.ts';
import { CREDITS } from '../features/credits/setup.ts';
import {
  factories,
  type Loose,
  type RequestOptions,
  refused,
  type TestAgent,
} from '../support/factories.ts';
import { outside, RECORDS, recorders } from '../features/interactions/setup.ts';
import { TASKS, works } from '../features/tasks/setup.ts';
import { registry } from './fixture.ts';

const app = await startApp({
  RESEARCH_ENABLED: 'on',
  ...RECORDS,
  ...ADJUDICATION,
  ...TASKS,
  ...CREDITS,
  ...CAMPAIGNS,
});
const f = factories(app);
const owner = await f.agent();
const as = { key: owner.key, admin: true };

/** More than a page of everything, each a little later than the one before; two of each at one moment. */
const COUNT = 53;
const room = await f.room(owner);
/** What administrators read: a report of an agent, and an act about it. */
const report = async (agent: TestAgent) => {
  await f.ok('POST', '/api/v1/reports', {
    key: agent.key,
    body: { targetType: 'agent', targetId: owner.id, reason: 'other' },
  });
  await f.ok('PUT', `/api/v1/admin/agents/${agent.id}/block`, {
    admin: true,
    body: { blocked: false },
  });
};
const r = recorders(f);
/** Records something about whatever comes, puts it before the community, and trusts it. */
const noter = await f.agent();
const note = async (value: string) => {
  await judges(f).open(noter, (await r.record(noter, outside(value, 'model'))).id);
  await r.trust(noter, { target: outside(value, 'model') });
};
const [earner, giver] = [await f.agent(), await f.agent()];
const giverKey = await f.keyWith(giver, 'credits');
const takerKey = await f.keyWith(earner, 'credits');
const { db, newId, clock } = app.app.env;
/** Issues earned units past the service: a grant would be an act of an administrator, and those are counted already. */
const issue = (
  kind: 'offer.accepted' | 'subsidy.granted',
  reference: string,
  to: string,
  amount: number,
) =>
  db.transaction((tx) =>
    ledger.post(tx, newId, {
      kind,
      reference,
      amount,
      transfers: [{ from: issuance('earned'), to }],
      at: iso(clock()),
    }),
  );
const earn = (agent: TestAgent, amount: number) =>
  issue('offer.accepted', newId(), available('earned', agent.id), amount);
/** An entry in a wallet, an offer, a task that somebody takes, and a grant. */
const give = async () => {
  await earn(earner, 1);
  await f.ok('POST', '/api/v1/offers', { key: giverKey, body: { kind: 'gift', amount: 1 } });
  const { id } = await f.ok('POST', '/api/v1/tasks', {
    key: giverKey,
    body: works(app, f).request({ reward: 1, slots: 1 }),
  });
  await f.ok('POST', `/api/v1/tasks/${id}/assignments`, { key: takerKey });
  const subsidy = newId();
  await db.run(
    sql`INSERT INTO subsidies (id, name, amount, created_at) VALUES (${subsidy}, 'A grant', 1, ${iso(clock())})`,
  );
  await issue('subsidy.granted', `subsidy:${subsidy}`, grant(subsidy), 1);
};
/** Campaigns, and sendings of one of them, past the service for the same reason. */
const announced = newId();
const announce = async (id: string) => {
  const at = iso(clock());
  await db.run(sql`INSERT INTO campaigns (id, name, purpose, audience, disclosures, overrides, state, created_at, prepared_at)
    VALUES (${id}, 'A campaign', 'A purpose', 'All', '{Told}', true, 'dispatching', ${at}, ${at})`);
  await db.run(
    sql`INSERT INTO campaign_variants (campaign_id, id, position, text, notice) VALUES (${id}, 'a', 1, 'Text', 'Notice')`,
  );
};
const sendNotice = () =>
  db.run(sql`INSERT INTO campaign_sendings (id, campaign_id, variant_id, place, receipt_id, sent_at)
    VALUES (${newId()}, ${announced}, 'a', ${newId()}, ${newId()}, ${iso(clock())})`);
await earn(giver, 2 * COUNT);
await announce(announced);
await sendNotice();
await give();
for (let index = 1; index < COUNT; index++) {
  app.clock.advance(index % 5 === 0 ? 0 : 1000);
  const [guest] = await Promise.all([
    f.agent(),
    f.thread(owner, room),
    f.room(owner, index % 2 ? 'public' : 'private'),
  ]);
  await f.join(guest, room);
  await report(guest);
  await note(`model ${index}`);
  await announce(newId());
  await sendNotice();
  await give();
}
await note('model');
await f.thread(owner, room);
await report(owner);
for (let index = 1; index < 20; index++) {
  app.clock.advance(index % 3 === 0 ? 0 : 1000);
  await f.scopedKey(owner, ['forum']);
}

type Query = { readonly properties?: Readonly<Record<string, unknown>> };
/** Lists of the registry, with the one to read here; a new one fails until it stands here. */
const lists = registry.filter(
  (operation): operation is Operation =>
    operation.kind === 'call' &&
    (operation.query as Query | undefined)?.properties?.offset !== undefined &&
    (operation.output as { type?: string }).type === 'array',
);
const addresses: Readonly<
  Record<
    string,
    {
      readonly path: string;
      readonly count: number;
      readonly order: string;
      readonly total: boolean;
      readonly as?: RequestOptions;
    }
  >
> = {
  listAgents: { path: '/api/v1/agents', count: COUNT + 3, order: 'createdAt id', total: false },
  listKeys: { path: '/api/v1/me/keys', count: 20, order: 'createdAt id', total: true },
  listRooms: { path: '/api/v1/rooms', count: COUNT, order: 'createdAt id', total: false },
  listThreads: {
    path: `/api/v1/threads?roomId=${room}`,
    count: COUNT,
    order: 'lastMessageAt id',
    total: false,
  },
  listReports: { path: '/api/v1/admin/reports', count: COUNT, order: 'createdAt id', total: false },
  listAudit: { path: '/api/v1/admin/audit', count: COUNT + 4, order: 'createdAt id', total: false },
  listInteractions: {
    path: '/api/v1/interactions',
    count: COUNT,
    order: 'createdAt id',
    total: false,
  },
  listCases: {
    path: '/api/v1/adjudication/cases',
    count: COUNT,
    order: 'createdAt id',
    total: false,
  },
  listMyTrust: {
    path: '/api/v1/me/trust',
    count: COUNT,
    order: 'createdAt id',
    total: false,
    as: { key: await f.keyWith(noter, 'interactions') },
  },
  listCampaigns: { path: '/api/v1/campaigns', count: COUNT, order: 'createdAt id', total: false },
  listAllCampaigns: {
    path: '/api/v1/admin/campaigns',
    count: COUNT,
    order: 'createdAt id',
    total: false,
  },
  listCampaignSendings: {
    path: `/api/v1/campaigns/${announced}/sendings`,
    count: COUNT,
    order: 'sentAt id',
    total: true,
  },
  listSubsidies: { path: '/api/v1/subsidies', count: COUNT, order: 'createdAt id', total: false },
  listTasks: { path: '/api/v1/tasks', count: COUNT, order: 'createdAt id', total: false },
  listMyAssignments: {
    path: '/api/v1/me/assignments',
    count: COUNT,
    order: 'createdAt id',
    total: false,
    as: { key: takerKey },
  },
  listOffers: {
    path: '/api/v1/offers',
    count: COUNT,
    order: 'createdAt id',
    total: false,
    as: { key: giverKey },
  },
  listWalletEntries: {
    path: '/api/v1/me/wallet/entries',
    count: COUNT,
    order: '',
    total: true,
    as: { key: takerKey },
  },
  getMetrics: {
    path: '/api/v1/research/metrics?experiment=activation&from=2026-01-01&to=2026-02-09',
    count: 40,
    order: '',
    total: true,
  },
  listExperiments: { path: '/api/v1/research/experiments', count: 8, order: '', total: true },
  listMembers: { path: `/api/v1/rooms/${room}/members`, count: COUNT, order: '', total: true },
};
const withPage = (path: string, search: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${search}`;
const cases = lists.map(({ name }) => ({
  name,
  as,
  ...(addresses[name] ?? { path: 'unknown', count: 0, order: '', total: false }),
}));
const identity = (row: Loose): string => row.id ?? row.agentId ?? row.day;

describe('lists', () => {
  it.for(cases)(
    '[wire.list-paging] $name is a bare array of 50, or as many as asked for',
    async ({ path, count, as }) => {
      const all: Loose[] = await f.ok('GET', withPage(path, 'limit=100'), as);
      expect(Array.isArray(all)).toBe(true);
      expect(all).toHaveLength(count);
      const page = async (search: string) =>
        (await f.ok('GET', withPage(path, search), as)).map(identity);
      const ids = all.map(identity);
      expect(await page('')).toEqual(ids.slice(0, 50));
      expect(await page('limit=1')).toEqual(ids.slice(0, 1));
      expect(await page('offset=3&limit=7')).toEqual(ids.slice(3, 10));
      expect(await page('offset=0')).toEqual(ids.slice(0, 50));
      expect(await page(`offset=${count - 1}`)).toEqual(ids.slice(-1));
      expect(await page(`offset=${count}`)).toEqual([]);
      expect(await page('offset=2147483647&limit=100')).toEqual([]);
    },
  );

  it.for(cases)('[wire.list-paging] $name refuses a page that cannot be', async ({ path, as }) => {
    for (const search of [
      'offset=-1',
      'offset=2147483648',
      'offset=1.5',
      'offset=x',
      'offset=',
      'limit=0',
      'limit=101',
      'limit=-5',
      'limit=',
      'limit=1&limit=2',
      'limit=1e1',
    ]) {
      const member = search.slice(0, search.indexOf('='));
      const answer = await f.send('GET', withPage(path, search), as);
      expect([search, answer]).toMatchObject([
        search,
        refused(400, 'invalid_request', { errors: [{ pointer: `/query/${member}` }] }),
      ]);
    }
  });

  it.for(cases)(
    '[wire.list-link] following Link through $name visits every row once',
    async ({ path, count, total, as }) => {
      for (const limit of [1, 7, count - 1, count]) {
        const first = await f.send('GET', withPage(path, `limit=${limit}`), as);
        expect(first.headers.get('x-total-count')).toBe(total ? String(count) : null);
        expect(first.headers.get('link')).toEqual(
          limit < count ? expect.stringMatching(/^<http:\/\/[^>]+>; rel="next"$/) : null,
        );
        const pages = await f.walk(withPage(path, `limit=${limit}`), as);
        expect(pages.map((rows) => rows.length)).toEqual([
          ...Array(Math.floor(count / limit)).fill(limit),
          ...(count % limit ? [count % limit] : []),
        ]);
        expect(pages.flat().map(identity)).toEqual(
          (await f.ok('GET', withPage(path, 'limit=100'), as)).map(identity),
        );
        expect(new Set(pages.flat().map(identity)).size).toBe(count);
      }
    },
  );

  it('[wire.list-link] the link keeps the rest of the address and leads to this installation', async () => {
    const { headers } = await f.send('GET', `/api/v1/threads?roomId=${room}&limit=2&offset=4`);
    expect(headers.get('link')).toBe(
      `<${app.url}/api/v1/threads?roomId=${room}&limit=2&offset=6>; rel="next"`,
    );
  });

  it.for(cases.filter(({ order }) => order !== ''))(
    '[wire.list-order] $name is newest first by $order',
    async ({ path, order, as }) => {
      const rows: Loose[] = (await f.walk(path, as)).flat();
      const placeOf = (row: Loose) => order.split(' ').map((member) => row[member] as string);
      const places = rows.map((row) => placeOf(row).join(' '));
      expect(places).toEqual([...places].sort().reverse());
      // There are rows of one moment, so that the id decides too.
      const moments = rows.map((row) => placeOf(row)[0]);
      expect(new Set(moments).size).toBeLessThan(moments.length);
    },
  );

  it('[wire.list-order] a thread comes up when a message is posted in it', async () => {
    const threads = (): Promise<Loose[]> => f.ok('GET', `/api/v1/threads?roomId=${room}`);
    const last = (await threads()).at(-1);
    app.clock.advance(1000);
    await f.post(owner, last.id, 'Up');
    expect((await threads())[0].id).toBe(last.id);
  });

  it('[wire.list-paging] every list of the registry is read here', () => {
    expect(cases.map(({ name }) => name).sort()).toEqual(Object.keys(addresses).sort());
    for (const { name, output } of lists)
      expect((output as { type?: string }).type, name).toBe('array');
  });
});
