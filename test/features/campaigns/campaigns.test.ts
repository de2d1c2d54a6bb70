import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { machine, triggers } from '../../../src/features/campaigns/transitions.ts';
import { startApp } from '../../support/app.ts';
import { announcers, CAMPAIGNS, campaign, DISCLOSURE, variants } from './setup.ts';
import { factories, type Loose, refused } from '../../support/factories.ts';
import { stored } from '../../operations/fixture.ts';

const app = await startApp(CAMPAIGNS);
const f = factories(app);
const a = announcers(f);
const owner = await f.agent('owner');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const listed = async (path = '/api/v1/campaigns', admin = false): Promise<Loose[]> =>
  f.ok('GET', `${path}?limit=100`, { admin });
const acts = async (id: string): Promise<Loose[]> =>
  (await f.ok('GET', '/api/v1/admin/audit?limit=100', { admin: true })).filter(
    (act: Loose) => act.targetId === id,
  );

describe('a campaign', () => {
  it('[campaign.draft] is a draft first, for administrators alone, as it was sent', async () => {
    const sent = campaign({
      disclosures: [DISCLOSURE, ' Second, as sent. '],
      variants: variants('One', 'Two'),
      policy: { dailyLimit: 1, totalLimit: 40 },
    });
    const { body } = await a.create(sent);
    expect(body).toEqual({ id: expect.any(String), createdAt: expect.any(String), state: 'draft' });
    const draft = (await listed('/api/v1/admin/campaigns', true)).find(({ id }) => id === body.id);
    expect(draft).toEqual({
      ...{
        id: body.id,
        name: sent.name,
        purpose: sent.purpose,
        audience: sent.audience,
        disclosures: sent.disclosures,
        variants: sent.variants,
      },
      policy: { dailyLimit: 1, totalLimit: 40, overrideLegacyLimits: false },
      ...{
        limits: { daily: 1, total: 10 },
        state: 'draft',
        notices: [],
        sentCount: 0,
        sendings: [],
      },
      ...{ createdAt: body.createdAt, preparedAt: null, stoppedAt: null },
    });
    expect((await listed()).map(({ id }) => id)).not.toContain(body.id);
    expect(await f.outcome('GET', `/api/v1/campaigns/${body.id}`)).toBe('404 not_found');
    // Stopped as a draft it is never published.
    await a.must(body.id, 'stop', { reason: 'No.' });
    expect(await f.outcome('GET', `/api/v1/campaigns/${body.id}`)).toBe('404 not_found');
    expect((await acts(body.id)).map(({ action, reason }) => [action, reason])).toEqual([
      ['campaign.stopped', 'No.'],
      ['campaign.drafted', null],
    ]);
  });

  it('[campaign.notice] [campaign.register] publishes its notices word for word when they are prepared', async () => {
    const texts = [
      '  Zeilen\r\n\tund\n\n\n',
      '版本二。👩🏽‍🚀 e\u0301 \ufeff\u200f\u202eab',
      '<script>alert(1)</script> **fett** @owner',
      ' ',
    ];
    const disclosures = [DISCLOSURE, 'Zweitens\n', '٣'];
    const id = await a.draft({ variants: variants(...texts), disclosures });
    const { body: prepared } = await a.step(id, 'prepare');
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
    const shown = (await listed()).find((one) => one.id === id);
    expect(shown).toMatchObject({
      state: 'prepared',
      notices,
      sendings: [],
      preparedAt: prepared.createdAt,
    });
    expect(await a.read(id)).toEqual(shown);
    // One text is a list of one.
    expect(
      (await a.must(await a.draft({ disclosures: 'Only this.' }), 'prepare')).notices[0].text,
    ).toBe('Version 2 is out.\n\nOnly this.');
  });

  it('[campaign.bytes] counts the bytes of a notice, in every kind of text, and never cuts', async () => {
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
      const { notices } = await a.must(await a.draft({ variants: variants(fits) }), 'prepare');
      expect(notices[0]).toMatchObject({ text: `${fits}\n\n${DISCLOSURE}`, bytes: 1200 });
      const before = await stored(app);
      const refusal = await a.create({
        variants: [...variants('Short'), { id: 'long', text: `${fits}x` }],
      });
      expect(refusal).toMatchObject(refused(413, 'payload_too_large', { limit: 1200 }));
      expect(refusal.body.detail).toContain('variant "long" has 1201 bytes');
      expect(refusal.body.errors).toEqual([
        { pointer: '/body/variants/1/text', detail: expect.stringContaining('1201 bytes') },
      ]);
      expect(await stored(app)).toEqual(before);
    }
  });

  it('[campaign.bytes] says when the disclosures alone are too long', async () => {
    const before = await stored(app);
    for (const disclosures of ['文'.repeat(401), ['x'.repeat(600), 'x'.repeat(600)]]) {
      const { body } = await a.create({ disclosures });
      expect(body).toMatchObject({
        code: 'payload_too_large',
        detail: expect.stringMatching(/^The disclosures alone have 120[23] bytes\./),
      });
      expect(body.errors.map(({ pointer }: Loose) => pointer)).toEqual([
        '/body/disclosures',
        '/body/variants/0/text',
      ]);
    }
    expect(await stored(app)).toEqual(before);
  });

  it('[campaign.text] refuses what is no text, and ids that are none', async () => {
    const before = await stored(app);
    const bad = ['\\ud800', '\\udfff', '\\u0000'];
    for (const member of ['name', 'purpose', 'audience', 'disclosures', 'variants']) {
      for (const text of bad) {
        const broken = JSON.stringify({
          ...campaign(),
          [member]: member === 'variants' ? variants('BROKEN') : 'BROKEN',
        }).replace('BROKEN', `x${text}`);
        expect(
          await f.send('POST', '/api/v1/admin/campaigns', { admin: true, raw: broken }),
          member,
        ).toMatchObject(refused(400, 'invalid_request'));
      }
    }
    for (const more of [
      { variants: [] },
      { variants: variants('') },
      { variants: variants(...Array.from({ length: 21 }, String)) },
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
      expect(await a.create(more), JSON.stringify(more)).toMatchObject(
        refused(400, 'invalid_request'),
      );
    const twice = await a.create({
      variants: [...variants('One', 'Two'), { id: 'v0', text: 'Three' }],
    });
    expect(twice).toMatchObject(
      refused(400, 'invalid_request', { errors: [{ pointer: '/body/variants/2/id' }] }),
    );
    expect(await a.create({ variants: variants('One', 'One') })).toMatchObject(
      refused(400, 'invalid_request', { errors: [{ pointer: '/body/variants/1/text' }] }),
    );
    expect(await stored(app)).toEqual(before);
  });

  it('[campaign.policy] [campaign.legacy-limits] [campaign.override] says which limits hold', async () => {
    const limits = async (policy: unknown) => {
      const id = await a.prepared({ policy });
      return Object.values((await a.read(id)).limits);
    };
    const free = { overrideLegacyLimits: true };
    expect([
      await limits(undefined),
      await limits(null),
      await limits({}),
      await limits({ dailyLimit: null, totalLimit: null }),
    ]).toEqual([
      [2, 10],
      [2, 10],
      [2, 10],
      [2, 10],
    ]);
    expect([
      await limits({ dailyLimit: 1 }),
      await limits({ dailyLimit: 3, totalLimit: 11, overrideLegacyLimits: false }),
    ]).toEqual([
      [1, 10],
      [2, 10],
    ]);
    expect([
      await limits(free),
      await limits({ ...free, dailyLimit: 3, totalLimit: Number.MAX_SAFE_INTEGER }),
    ]).toEqual([
      [null, null],
      [3, Number.MAX_SAFE_INTEGER],
    ]);
    const before = await stored(app);
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
      expect(await a.create({ policy }), JSON.stringify(policy)).toMatchObject(
        refused(400, 'invalid_request'),
      );
    expect(await stored(app)).toEqual(before);
  });

  it('[campaign.states] goes its way by the table alone', async () => {
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
      keyof typeof machine,
      readonly (keyof typeof to)[],
    ][]) {
      for (const trigger of triggers) {
        const id = await a.draft();
        for (const step of way) await a.must(id, to[step], body[step]);
        const before = await stored(app);
        const answer = await a.step(id, to[trigger], body[trigger]);
        const next = machine[state][trigger];
        if (next)
          expect([answer.status, answer.body.state], `${state} ${trigger}`).toEqual([200, next]);
        else {
          expect(answer, `${state} ${trigger}`).toMatchObject(
            refused(409, 'state_conflict', { state }),
          );
          expect(await stored(app)).toEqual(before);
        }
      }
    }
  });

  it('[campaign.states] has its table in docs/campaigns.md', () => {
    const page = readFileSync(new URL('../../../docs/campaigns.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| ([a-z, ]+) \| `(\w+)`/gm)].flatMap(
      ([, from = '', steps = '', to]) =>
        [...from.matchAll(/\w+/g)].flatMap(([state]) =>
          steps.split(', ').map((step) => [state, step, to]),
        ),
    );
    const edges = Object.entries(machine).flatMap(([state, steps]) =>
      Object.entries(steps).map(([step, next]) => [state, step, next]),
    );
    expect(rows.sort()).toEqual(edges.sort());
    expect(edges).toHaveLength(8);
  });

  it('[campaign.rights] belongs to administrators, while it is switched on', async () => {
    const id = await a.prepared();
    for (const step of ['prepare', 'dispatch', 'stop'])
      expect(
        await f.outcome('POST', `/api/v1/admin/campaigns/${id}/${step}`, { key: owner.key }),
      ).toBe('401 unauthenticated');
    const off = factories(await app.another({ CAMPAIGNS_ENABLED: 'off' }));
    for (const [method, path] of [
      ['GET', '/campaigns'],
      ['POST', '/admin/campaigns'],
      ['POST', `/admin/campaigns/${id}/dispatch`],
    ] as const)
      expect(
        await off.send(method, `/api/v1${path}`, {
          admin: true,
          ...(method === 'POST' && { body: campaign() }),
        }),
      ).toMatchObject(refused(403, 'capability_disabled', { capability: 'campaigns' }));
    await a.must(id, 'dispatch');
    expect((await acts(id)).map(({ action }) => action)).toEqual([
      'campaign.dispatched',
      'campaign.prepared',
      'campaign.drafted',
    ]);
  });

  it('[campaign.register] [campaign.page-safe] is on the page of the register, word for word and harmless', async () => {
    const evil = '</pre><script>alert(1)</script>"\'&amp; [x](javascript:y)';
    const id = await a.prepared({
      name: '<b>Bold</b>',
      purpose: evil,
      audience: evil,
      disclosures: [evil],
      variants: variants(evil),
    });
    await a.must(id, 'sendings', { variantId: 'v0', place: '<img src=x onerror=y>' });
    const { status, text, headers } = await f.send('GET', '/campaigns');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const escaped = evil
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;');
    expect(text).toContain(`<pre dir="auto">\n${escaped}\n\n${escaped}</pre>`);
    expect(text).toContain('&lt;img src=x onerror=y&gt;');
    expect(text).not.toMatch(/<script|<img|<b>/);
    const [{ receiptId, sentAt }] = (await a.read(id)).sendings;
    for (const part of [
      `/e/${receiptId}`,
      `<time datetime="${sentAt}">`,
      '2 a day (UTC), 10 in all',
    ])
      expect(text).toContain(part);
  });

  it('[campaign.page-off] has a page that says how to switch it on', async () => {
    const { status, text } = await factories(await app.another({ CAMPAIGNS_ENABLED: 'off' })).send(
      'GET',
      '/campaigns',
    );
    expect(status).toBe(200);
    expect(text).toContain('CAMPAIGNS_ENABLED=on');
    expect(text).not.toContain('/e/');
  });
});
