import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { campaignMachine, campaignTriggers } from '../../../src/features/campaigns/transitions.ts';
import { digestTables } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json } from '../../support/factories.ts';
import {
  buildCampaign,
  buildVariants,
  campaignHelpers,
  campaignSettings,
  DISCLOSURE,
} from './setup.ts';

const app = await startApp(campaignSettings);
const f = factories(app);
const a = campaignHelpers(f);
const owner = await f.createAgent('owner');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const listCampaigns = async (path = '/api/v1/campaigns', admin = false): Promise<Json[]> =>
  f.ok('GET', `${path}?limit=100`, { admin });
const listAudit = async (id: string): Promise<Json[]> =>
  (await f.ok('GET', '/api/v1/admin/audit?limit=100', { admin: true })).filter(
    (act: Json) => act.targetId === id,
  );

describe('campaigns', () => {
  it('[campaign.draft] createCampaign creates a draft that only administrators see', async () => {
    const sent = buildCampaign({
      disclosures: [DISCLOSURE, ' Second, as sent. '],
      variants: buildVariants('One', 'Two'),
      policy: { dailyLimit: 1, totalLimit: 40 },
    });
    const { body } = await a.createCampaign(sent);
    expect(body).toEqual({ id: expect.any(String), createdAt: expect.any(String), state: 'draft' });
    const draft = (await listCampaigns('/api/v1/admin/campaigns', true)).find(
      ({ id }) => id === body.id,
    );
    expect(draft).toEqual({
      id: body.id,
      name: sent.name,
      purpose: sent.purpose,
      audience: sent.audience,
      disclosures: sent.disclosures,
      variants: sent.variants,
      policy: { dailyLimit: 1, totalLimit: 40, overrideLegacyLimits: false },
      limits: { daily: 1, total: 10 },
      state: 'draft',
      notices: [],
      sentCount: 0,
      sendings: [],
      createdAt: body.createdAt,
      preparedAt: null,
      stoppedAt: null,
    });
    expect((await listCampaigns()).map(({ id }) => id)).not.toContain(body.id);
    expect(await f.sendForOutcome('GET', `/api/v1/campaigns/${body.id}`)).toBe('404 not_found');
    // A campaign that is stopped as a draft is never published.
    await a.expectStep(body.id, 'stop', { reason: 'No.' });
    expect(await f.sendForOutcome('GET', `/api/v1/campaigns/${body.id}`)).toBe('404 not_found');
    expect((await listAudit(body.id)).map(({ action, reason }) => [action, reason])).toEqual([
      ['campaign.stopped', 'No.'],
      ['campaign.drafted', null],
    ]);
  });

  it('[campaign.notice] [campaign.register] prepareCampaign publishes verbatim', async () => {
    const texts = [
      '  Zeilen\r\n\tund\n\n\n',
      '版本二。👩🏽‍🚀 e\u0301 \ufeff\u200f\u202eab',
      '<script>alert(1)</script> **fett** @owner',
      ' ',
    ];
    const disclosures = [DISCLOSURE, 'Zweitens\n', '٣'];
    const id = await a.createDraft({ variants: buildVariants(...texts), disclosures });
    const { body: prepared } = await a.sendStep(id, 'prepare');
    const notices = texts.map((text, index) => {
      const notice = `${text}\n\n${disclosures.join('\n\n')}`;
      return {
        variantId: `v${index}`,
        text: notice,
        bytes: Buffer.byteLength(notice),
        sha256: sha256(notice),
      };
    });
    expect(prepared).toEqual({ id, createdAt: expect.any(String), state: 'prepared', notices });
    const shown = (await listCampaigns()).find((one) => one.id === id);
    expect(shown).toMatchObject({
      state: 'prepared',
      notices,
      sendings: [],
      preparedAt: prepared.createdAt,
    });
    expect(await a.getCampaign(id)).toEqual(shown);
    // A single text becomes a list of one.
    expect(
      (await a.expectStep(await a.createDraft({ disclosures: 'Only this.' }), 'prepare')).notices[0]
        .text,
    ).toBe('Version 2 is out.\n\nOnly this.');
  });

  it('[campaign.bytes] createCampaign counts UTF-8 bytes and never cuts', async () => {
    const left = 1200 - Buffer.byteLength(`\n\n${DISCLOSURE}`);
    for (const letter of [
      'x',
      'é',
      'e\u0301',
      '文',
      '😀',
      '👩🏽‍🚀',
      'ﷺ',
      '\u200b',
      '\ufeff',
      '\r\n',
      '\u{10ffff}',
    ]) {
      const bytes = Buffer.byteLength(letter);
      const fits = letter.repeat(Math.floor(left / bytes)) + 'x'.repeat(left % bytes);
      const { notices } = await a.expectStep(
        await a.createDraft({ variants: buildVariants(fits) }),
        'prepare',
      );
      expect(notices[0]).toMatchObject({ text: `${fits}\n\n${DISCLOSURE}`, bytes: 1200 });
      const before = await digestTables(app);
      const refusal = await a.createCampaign({
        variants: [...buildVariants('Short'), { id: 'long', text: `${fits}x` }],
      });
      expect(refusal).toMatchObject(buildProblem(413, 'payload_too_large', { limit: 1200 }));
      expect(refusal.body.detail).toContain('variant "long" has 1201 bytes');
      expect(refusal.body.errors).toEqual([
        { pointer: '/body/variants/1/text', detail: expect.stringContaining('1201 bytes') },
      ]);
      expect(await digestTables(app)).toEqual(before);
    }
  });

  it('[campaign.bytes] createCampaign says when the disclosures alone are too long', async () => {
    const before = await digestTables(app);
    for (const disclosures of ['文'.repeat(401), ['x'.repeat(600), 'x'.repeat(600)]]) {
      const { body } = await a.createCampaign({ disclosures });
      expect(body).toMatchObject({
        code: 'payload_too_large',
        detail: expect.stringMatching(/^The disclosures alone have 120[23] bytes\./),
      });
      expect(body.errors.map(({ pointer }: Json) => pointer)).toEqual([
        '/body/disclosures',
        '/body/variants/0/text',
      ]);
    }
    expect(await digestTables(app)).toEqual(before);
  });

  it('[campaign.text] createCampaign rejects invalid texts and ids', async () => {
    const before = await digestTables(app);
    const bad = ['\\ud800', '\\udfff', '\\u0000'];
    for (const member of ['name', 'purpose', 'audience', 'disclosures', 'variants']) {
      for (const text of bad) {
        const broken = JSON.stringify({
          ...buildCampaign(),
          [member]: member === 'variants' ? buildVariants('BROKEN') : 'BROKEN',
        }).replace('BROKEN', `x${text}`);
        expect(
          await f.send('POST', '/api/v1/admin/campaigns', { admin: true, raw: broken }),
          member,
        ).toMatchObject(buildProblem(400, 'invalid_request'));
      }
    }
    for (const more of [
      { variants: [] },
      { variants: buildVariants('') },
      { variants: buildVariants(...Array.from({ length: 21 }, String)) },
      { disclosures: [] },
      ...['', ' ', '\n', '\u3000'].flatMap((text) => [
        { disclosures: text },
        { disclosures: [DISCLOSURE, text] },
      ]),
      { disclosures: null },
      { name: 'a\u202eb' },
      { name: ' ' },
      { state: 'prepared' },
      ...['', ' ', 'a b', '<b>', 'ä', '-a', '../a', 'a'.repeat(65)].map((id) => ({
        variants: [{ id, text: 'Text' }],
      })),
    ])
      expect(await a.createCampaign(more), JSON.stringify(more)).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
    const twice = await a.createCampaign({
      variants: [...buildVariants('One', 'Two'), { id: 'v0', text: 'Three' }],
    });
    expect(twice).toMatchObject(
      buildProblem(400, 'invalid_request', { errors: [{ pointer: '/body/variants/2/id' }] }),
    );
    expect(await a.createCampaign({ variants: buildVariants('One', 'One') })).toMatchObject(
      buildProblem(400, 'invalid_request', { errors: [{ pointer: '/body/variants/1/text' }] }),
    );
    expect(await digestTables(app)).toEqual(before);
  });

  it(
    '[campaign.policy] [campaign.legacy-limits] [campaign.override] ' +
      'getCampaign states the limits that apply',
    async () => {
      const getLimits = async (policy: unknown) => {
        const id = await a.createPrepared({ policy });
        return Object.values((await a.getCampaign(id)).limits);
      };
      const free = { overrideLegacyLimits: true };
      expect([
        await getLimits(undefined),
        await getLimits(null),
        await getLimits({}),
        await getLimits({ dailyLimit: null, totalLimit: null }),
      ]).toEqual([
        [2, 10],
        [2, 10],
        [2, 10],
        [2, 10],
      ]);
      expect([
        await getLimits({ dailyLimit: 1 }),
        await getLimits({ dailyLimit: 3, totalLimit: 11, overrideLegacyLimits: false }),
      ]).toEqual([
        [1, 10],
        [2, 10],
      ]);
      expect([
        await getLimits(free),
        await getLimits({ ...free, dailyLimit: 3, totalLimit: Number.MAX_SAFE_INTEGER }),
      ]).toEqual([
        [null, null],
        [3, Number.MAX_SAFE_INTEGER],
      ]);
      const before = await digestTables(app);
      for (const policy of [
        ...[0, -1, 1.5, '2', true, 2 ** 53, 1e300, [1]].flatMap((limit) => [
          { dailyLimit: limit },
          { totalLimit: limit, ...free },
        ]),
        ...[
          { overrideLegacyLimits: 1 },
          { overrideLegacyLimits: 'true' },
          { perRoom: 1 },
          [],
          'none',
        ],
      ])
        expect(await a.createCampaign({ policy }), JSON.stringify(policy)).toMatchObject(
          buildProblem(400, 'invalid_request'),
        );
      expect(await digestTables(app)).toEqual(before);
    },
  );

  it('[campaign.states] operations allow only the transitions of the table', async () => {
    const body = {
      dispatch: {},
      record: { variantId: 'a', place: 'Somewhere' },
      prepare: undefined,
      stop: undefined,
    };
    const to = { dispatch: 'dispatch', record: 'sendings', prepare: 'prepare', stop: 'stop' };
    const ways = {
      draft: [],
      prepared: ['prepare'],
      dispatching: ['prepare', 'dispatch'],
      stopped: ['stop'],
    } as const;
    for (const [state, way] of Object.entries(ways) as [
      keyof typeof campaignMachine,
      readonly (keyof typeof to)[],
    ][]) {
      for (const trigger of campaignTriggers) {
        const id = await a.createDraft();
        for (const step of way) await a.expectStep(id, to[step], body[step]);
        const before = await digestTables(app);
        const answer = await a.sendStep(id, to[trigger], body[trigger]);
        const next = campaignMachine[state][trigger];
        if (next)
          expect(
            { status: answer.status, state: answer.body.state },
            `${state} ${trigger}`,
          ).toEqual({ status: 200, state: next });
        else {
          expect(answer, `${state} ${trigger}`).toMatchObject(
            buildProblem(409, 'state_conflict', { state }),
          );
          expect(await digestTables(app)).toEqual(before);
        }
      }
    }
  });

  it('[campaign.states] docs/campaigns.md has the table of states', () => {
    const page = readFileSync(new URL('../../../docs/campaigns.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| ([a-z, ]+) \| `(\w+)`/gm)].flatMap(
      ([, from = '', steps = '', to]) =>
        [...from.matchAll(/\w+/g)].flatMap(([state]) =>
          steps.split(', ').map((step) => [state, step, to]),
        ),
    );
    const edges = Object.entries(campaignMachine).flatMap(([state, steps]) =>
      Object.entries(steps).map(([step, next]) => [state, step, next]),
    );
    expect(rows.sort()).toEqual(edges.sort());
    expect(edges).toHaveLength(8);
  });

  it('[campaign.rights] operations need an administrator and the switch', async () => {
    const id = await a.createPrepared();
    for (const step of ['prepare', 'dispatch', 'stop'])
      expect(
        await f.sendForOutcome('POST', `/api/v1/admin/campaigns/${id}/${step}`, { key: owner.key }),
      ).toBe('401 unauthenticated');
    const off = factories(await app.startNode({ CAMPAIGNS_ENABLED: 'off' }));
    for (const [method, path] of [
      ['GET', '/campaigns'],
      ['POST', '/admin/campaigns'],
      ['POST', `/admin/campaigns/${id}/dispatch`],
    ] as const)
      expect(
        await off.send(method, `/api/v1${path}`, {
          admin: true,
          ...(method === 'POST' && { body: buildCampaign() }),
        }),
      ).toMatchObject(buildProblem(403, 'capability_disabled', { capability: 'campaigns' }));
    await a.expectStep(id, 'dispatch');
    expect((await listAudit(id)).map(({ action }) => action)).toEqual([
      'campaign.dispatched',
      'campaign.prepared',
      'campaign.drafted',
    ]);
  });

  it('[campaign.register] [campaign.page-safe] showCampaigns renders inert text', async () => {
    const evil = '</pre><script>alert(1)</script>"\'&amp; [x](javascript:y)';
    const id = await a.createPrepared({
      name: '<b>Bold</b>',
      purpose: evil,
      audience: evil,
      disclosures: [evil],
      variants: buildVariants(evil),
    });
    await a.expectStep(id, 'sendings', { variantId: 'v0', place: '<img src=x onerror=y>' });
    const { status, text, headers } = await f.send('GET', '/campaigns');
    expect({ status, contentType: headers.get('content-type') }).toEqual({
      status: 200,
      contentType: 'text/html; charset=utf-8',
    });
    const escaped = evil
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;');
    expect(text).toContain(`<pre dir="auto">\n${escaped}\n\n${escaped}</pre>`);
    expect(text).toContain('&lt;img src=x onerror=y&gt;');
    expect(text).not.toMatch(/<script|<img|<b>/);
    const [{ receiptId, sentAt }] = (await a.getCampaign(id)).sendings;
    for (const part of [
      `/e/${receiptId}`,
      `<time datetime="${sentAt}">`,
      '2 a day (UTC), 10 in all',
    ])
      expect(text).toContain(part);
  });

  it('[campaign.page-off] showCampaigns says how to switch campaigns on', async () => {
    const { status, text } = await factories(
      await app.startNode({ CAMPAIGNS_ENABLED: 'off' }),
    ).send('GET', '/campaigns');
    expect(status).toBe(200);
    expect(text).toContain('CAMPAIGNS_ENABLED=on');
    expect(text.slice(text.indexOf('<main'))).not.toContain('/e/');
  });
});
