import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { targetTypes } from '../../../src/features/reports/rules.ts';
import { operations } from '../../../src/operations.ts';
import { createFixture } from '../../operations/fixture.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { call, factories, type Json, type RequestOptions } from '../../support/factories.ts';
import { findRowsContaining, listStoredRows } from '../../support/stored-rows.ts';

const app = await startApp();
const { db, newId } = app.app.env;
const f = factories(app);
const fixture = await createFixture(f);
const INTAKE = '/moderation/intake';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
/** Sends the form as a browser does. */
const submit = (
  fields: Record<string, string>,
  options: RequestOptions = {},
  at: Pick<TestApp, 'url'> = app,
) =>
  call(at.url, 'POST', INTAKE, {
    idem: false,
    raw: new URLSearchParams(fields).toString(),
    ...options,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...browser,
      ...options.headers,
    },
  });
const buildFields = () => ({
  targetType: 'thread',
  targetId: fixture.threads.open,
  reason: 'spam',
  detail: '',
});
const listReports = (): Promise<Json[]> =>
  f.ok('GET', '/api/v1/admin/reports?limit=100', { admin: true });
const findId = (text: string) => /<code>([0-9a-f-]{36})<\/code>/.exec(text)?.[1];

/** Reads all rows once no pending posts wait for the search index. */
async function listSettledRows(): Promise<string[]> {
  await app.app.jobs.runDue();
  return listStoredRows(db);
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const unescapeHtml = (text = '') =>
  text.replace(/&[^;]+;/g, (entity) => entities[entity] ?? entity);
/** Reads the values of the fields of a page. */
function readFields(text: string): Record<string, string> {
  const findChosen = (name: string) =>
    /<option value="([^"]*)" selected>/.exec(
      text.slice(text.indexOf(`<select id="${name}"`)).split('</select>', 1)[0] ?? '',
    )?.[1];
  // What the reader may read is shown, and its type and id are hidden.
  const findHidden = (name: string) =>
    new RegExp(`type="hidden" name="${name}" value="([^"]*)"`).exec(text)?.[1];
  const [, targetId = findHidden('targetId')] =
    / id="targetId"[^>]* value="([^"]*)"/.exec(text) ?? [];
  const [, detail] = /<textarea[^>]*>\n?([\s\S]*?)<\/textarea>/.exec(text) ?? [];
  return {
    targetType: findChosen('targetType') ?? findHidden('targetType') ?? '',
    targetId: unescapeHtml(targetId),
    reason: findChosen('reason') ?? '',
    detail: unescapeHtml(detail),
  };
}

/** Asserts what holds for every page: the policy, and HTML that loads nothing from elsewhere. */
function expectPage(text: string, headers: Headers): void {
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'self'; ` +
      `base-uri 'none'; frame-ancestors 'none'`,
  );
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  const tags = (text.match(/<[^>]*>/g) ?? []).map((tag) =>
    tag
      // These say where the page is, and load nothing but the icon of this service.
      .replace(/^<link rel="(canonical|icon|search)"[^>]*>$/, '')
      .replace(/^<meta (property|name)="[^>]*>$/, '')
      .replace(/="[^"]*"/g, (value) =>
        /^="(https?:|\/\/|javascript:)/i.test(value) ? '=elsewhere' : '',
      ),
  );
  expect(tags.join('\n')).not.toMatch(
    /<(script|link|img|iframe|object|base)| (style|on\w+)\b|elsewhere/i,
  );
  expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
  expect(text.match(/<h1>/g)).toHaveLength(1);
  expect(text.match(/<title>/g)).toHaveLength(1);
  expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
}

describe('showIntake', () => {
  it('[intake.form] [intake.policy] labels every control and needs no script', async () => {
    const { status, text, headers } = await f.send('GET', INTAKE, { headers: browser });
    expect(status).toBe(200);
    expectPage(text, headers);
    expect(headers.get('cache-control')).toBe('public, no-cache');
    expect(text).toContain(`<form method="post" action="${INTAKE}">`);
    const controls = [
      ...text.matchAll(
        /<(?:input|select|textarea) id="(\w+)" name="(\w+)"(?: aria-describedby="([^"]*)")?/g,
      ),
    ];
    expect(controls.map(([, id, name]) => [id, name])).toEqual(
      ['targetType', 'targetId', 'reason', 'detail'].map((name) => [name, name]),
    );
    for (const [, id, , described = ''] of controls) {
      expect(text).toMatch(new RegExp(`<label for="${id}">[^<]+</label>`));
      for (const hint of described.split(' ').filter(Boolean))
        expect(text).toContain(`id="${hint}"`);
    }
    expect(text.match(/<button type="submit">/g)).toHaveLength(1);
    expect(text).toContain('prefers-color-scheme:dark');
  });

  it('[intake.form] has a strong ETag and fills in what its link names', async () => {
    const first = await f.send('GET', INTAKE);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]+"$/);
    const unchanged = await f.send('GET', INTAKE, { headers: { 'if-none-match': etag } });
    expect({ status: unchanged.status, text: unchanged.text }).toEqual({ status: 304, text: '' });
    const linked = await f.send(
      'GET',
      `${INTAKE}?targetType=thread&targetId=${fixture.threads.open}`,
      { headers: { 'if-none-match': etag } },
    );
    expect(linked.status).toBe(200);
    expect(linked.text).toContain('name="targetType" value="thread"');
    expect(linked.text).toContain(`name="targetId" value="${fixture.threads.open}"`);
    const wrong = await f.send('GET', `${INTAKE}?targetType=<script>`, { headers: browser });
    expect(wrong.status).toBe(400);
    expectPage(wrong.text, wrong.headers);
  });

  it('[intake.preview] shows the text that a link names to those who may read it', async () => {
    const open = await f.postMessage(fixture.owner, fixture.threads.open, 'Open <words>.');
    const secret = await f.postMessage(fixture.owner, fixture.threads.hidden, 'Secret words.');
    const gone = await f.postMessage(fixture.owner, fixture.threads.open, 'Gone words.');
    await f.ok('DELETE', `/api/v1/admin/messages/${gone.id}`, { admin: true });
    const openPreview = (id: string, options: RequestOptions = {}) =>
      f.send('GET', `${INTAKE}?targetType=message&targetId=${id}`, {
        headers: browser,
        ...options,
      });
    const shown = await openPreview(open.id);
    expectPage(shown.text, shown.headers);
    expect(shown.text).toContain('Open &lt;words&gt;.</blockquote>');
    expect(shown.text).toContain(`@${fixture.owner.handle}`);
    expect(shown.text).not.toContain('<select id="targetType"');
    expect(shown.headers.get('x-content-trust')).toBe('untrusted');
    for (const id of [secret.id, gone.id, newId()]) {
      const { text } = await openPreview(id);
      expect(text).not.toMatch(/Secret|Gone/);
      expect(readFields(text)).toMatchObject({ targetType: 'message', targetId: id });
    }
    const inside = await openPreview(secret.id, { key: fixture.member.key });
    expect(inside.text).toContain('Secret words.</blockquote>');
    expect(inside.headers.get('cache-control')).toContain('private');
    expect((await openPreview(secret.id, { key: fixture.outsider.key })).text).not.toContain(
      'Secret',
    );
  });

  it('[intake.policy] and its refusals have the same policy', async () => {
    const wrong = await f.send('GET', INTAKE, { key: 'wrong', headers: browser });
    expect({
      status: wrong.status,
      wwwAuthenticate: wrong.headers.get('www-authenticate'),
    }).toEqual({ status: 401, wwwAuthenticate: 'ApiKey header="X-API-Key"' });
    expectPage(wrong.text, wrong.headers);
    expect(wrong.text).toContain(
      '<h1>The credential is unknown, revoked, expired or malformed</h1>',
    );
    expect(
      (await f.send('GET', INTAKE, { key: 'wrong', headers: { accept: 'application/json' } })).body,
    ).toMatchObject({ code: 'invalid_credential' });
  });
});

describe('fileAnonymousReport', () => {
  it('[intake.file] accepts a report of anyone, and the page has its id', async () => {
    const answer = await submit({ ...buildFields(), detail: '  First line.\r\nSecond <line>. ' });
    expect({
      status: answer.status,
      cacheControl: answer.headers.get('cache-control'),
    }).toEqual({ status: 200, cacheControl: 'private, no-store' });
    expectPage(answer.text, answer.headers);
    const filed = (await listReports())[0];
    expect(filed).toMatchObject({
      id: findId(answer.text),
      reporterId: null,
      reporterHandle: null,
      state: 'open',
      targetType: 'thread',
      reason: 'spam',
    });
    expect({ targetId: filed.targetId, detail: filed.detail }).toEqual({
      targetId: fixture.threads.open,
      detail: '  First line.\nSecond <line>. ',
    });
    expect(
      (
        await submit({
          targetType: 'room',
          targetId: ` ${app.url}/rooms/${fixture.publicRoom.toUpperCase()}#top `,
          reason: 'other',
        })
      ).status,
    ).toBe(200);
    expect((await listReports())[0]).toMatchObject({ targetId: fixture.publicRoom, detail: null });
    const again = await submit(buildFields());
    expect(again.status).toBe(200);
    expect(findId(again.text)).not.toBe(filed.id);
  });

  it('[intake.file] stores no reporter and nothing that identifies the sender', async () => {
    const { outsider, blocked } = fixture;
    for (const options of [{ key: outsider.key }, { key: blocked.key }, { admin: true }]) {
      const before = await listSettledRows();
      const answer = await submit({ ...buildFields(), detail: 'Nobody.' }, options);
      expect(answer.status).toBe(200);
      const left = (await listSettledRows()).filter((row) => !before.includes(row));
      expect(left).toHaveLength(1);
      expect(findRowsContaining(left, 'Nobody.')).toHaveLength(1);
      expect(findRowsContaining(left, outsider.id)).toEqual([]);
      expect((await listReports())[0]).toMatchObject({ id: findId(answer.text), reporterId: null });
    }
    expect(app.logs.filter((line) => line.includes('Nobody.'))).toEqual([]);
  });

  it('[intake.no-oracle] answers alike for public, private, deleted and unknown', async () => {
    const gone = await f.createThread(fixture.owner, fixture.publicRoom);
    await f.ok('DELETE', `/api/v1/admin/threads/${gone}`, { admin: true });
    const targets: [string, string, string][] = [
      ['thread', fixture.threads.open, 'public'],
      ['thread', fixture.threads.hidden, 'private'],
      ['room', fixture.privateRoom, 'private'],
      ['thread', gone, 'deleted'],
      ['message', newId(), 'unknown'],
      ['agent', fixture.publicRoom, 'unknown'],
    ];
    const seen = new Set<string>();
    for (const [targetType, targetId, state] of targets) {
      const { status, text, headers } = await submit({ targetType, targetId, reason: 'spam' });
      const shown = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
      seen.add(JSON.stringify([status, text.replace(findId(text) ?? '', ''), shown]));
      const { target } = (await listReports())[0];
      expect(target.state).toBe(state);
    }
    expect(seen.size).toBe(1);
  });

  it('[report.disclosure] reveals nothing private to administrators', async () => {
    const hidden = await f.postMessage(fixture.owner, fixture.threads.hidden, 'Secret words.');
    for (const [targetType, targetId] of [
      ['message', hidden.id],
      ['thread', fixture.threads.hidden],
      ['room', fixture.privateRoom],
    ] as const) {
      await submit({ targetType, targetId, reason: 'privacy' });
      const nothing = {
        title: null,
        excerpt: null,
        authorId: null,
        authorHandle: null,
        roomId: null,
        threadId: null,
      };
      expect((await listReports())[0].target).toEqual({ state: 'private', ...nothing });
    }
    expect(JSON.stringify(await listReports())).not.toContain('Secret words.');
  });

  it('[intake.read-by-admins] files reports for administrators alone', async () => {
    const id = findId((await submit(buildFields())).text);
    for (const path of [
      '/api/v1/reports',
      `/api/v1/reports/${id}`,
      `/api/v1/admin/reports/${id}`,
      `${INTAKE}/${id}`,
    ])
      for (const as of [{}, { key: fixture.owner.key }])
        expect([404, 405]).toContain((await f.send('GET', path, as)).status);
    const readers = operations.filter(
      ({ name, path }) =>
        /report/i.test(name + path) && !['createReport', 'fileAnonymousReport'].includes(name),
    );
    expect(readers.map(({ name, auth }) => [name, auth])).toEqual([
      ['listReports', 'admin'],
      ['resolveReport', 'admin'],
      ['showReports', 'admin'],
      ['showReport', 'admin'],
      ['resolveReportByForm', 'admin'],
    ]);
    expect((await f.send('GET', INTAKE)).text).not.toContain(id);
  });

  it('[intake.not-json] accepts the form and nothing else', async () => {
    const before = await listSettledRows();
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', ''])
      expect(
        (
          await submit(
            {},
            { raw: JSON.stringify(buildFields()), headers: { 'content-type': type } },
          )
        ).status,
        type,
      ).toBe(415);
    expect(await listSettledRows()).toEqual(before);
    const { paths } = await f.ok('GET', '/openapi.json');
    expect(Object.keys(paths[INTAKE].post.requestBody.content)).toEqual([
      'application/x-www-form-urlencoded',
    ]);
    expect(paths[INTAKE].post).not.toHaveProperty('x-tool');
  });
});

describe('links to showIntake', () => {
  it.for(targetTypes)(
    '[intake.form] [intake.file] fill in that the report is about a %s',
    async (targetType) => {
      const { status, text } = await f.send(
        'GET',
        `${INTAKE}?targetType=${targetType}&targetId=${fixture.threads.open}`,
        { headers: browser },
      );
      expect({ status, fields: readFields(text) }).toEqual({
        status: 200,
        fields: { targetType, targetId: fixture.threads.open, reason: '', detail: '' },
      });
      const filed = await submit({ ...readFields(text), reason: 'spam' });
      expect(filed.status).toBe(200);
      expect((await listReports())[0]).toMatchObject({
        id: findId(filed.text),
        targetType,
        targetId: fixture.threads.open,
      });
    },
  );
});

describe('fileAnonymousReport with an invalid form', () => {
  const listFaults = (text: string) =>
    [...text.matchAll(/<li><a href="#(\w+)">/g)].map(([, name]) => name);

  it('[intake.errors] [intake.policy] says beside each field what to do', async () => {
    const before = await listSettledRows();
    const typed = { ...buildFields(), detail: 'Kept.' };
    const cases: [Record<string, string>, string[]][] = [
      [{}, ['targetType', 'targetId', 'reason']],
      [{ ...typed, targetType: '' }, ['targetType']],
      [{ ...typed, targetType: 'wallet' }, ['targetType']],
      [{ ...typed, targetId: 'ada' }, ['targetId']],
      [{ ...typed, targetId: ' ' }, ['targetId']],
      [{ ...typed, reason: 'bored', targetId: '' }, ['targetId', 'reason']],
      [{ ...typed, detail: 'x'.repeat(2001) }, ['detail']],
      [{ ...typed, reporterId: fixture.owner.id }, []],
    ];
    for (const [fields, wrong] of cases) {
      const { status, text, headers } = await submit(fields);
      expect({ status, faults: listFaults(text) }, JSON.stringify(fields)).toEqual({
        status: 400,
        faults: wrong,
      });
      expectPage(text, headers);
      expect(text).toMatch(/<title>Not filed: /);
      expect(
        [...text.matchAll(/id="(\w+)"[^>]* aria-invalid="true"/g)].map(([, name]) => name),
      ).toEqual(wrong);
      for (const name of wrong)
        expect(text).toMatch(new RegExp(`aria-describedby="[^"]*${name}-fault"`));
      const { reporterId: _, ...known } = {
        targetType: '',
        targetId: '',
        reason: '',
        detail: '',
        ...fields,
      } as Record<string, string>;
      const options = { targetType: ['thread'], reason: ['spam'] };
      for (const [name, allowed] of Object.entries(options))
        if (!allowed.includes(known[name] ?? '')) known[name] = '';
      expect(readFields(text)).toEqual(known);
    }
    expect(await listSettledRows()).toEqual(before);
  });

  it('[intake.escape] shows typed text as text, whatever it is', async () => {
    const hostile = [
      '</textarea><script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onfocus='x",
      '&lt;b&gt; &amp;',
      '\nfirst line end',
      '\u202etxt.exe',
      '{{7*7}}',
    ];
    for (const text of hostile) {
      const answer = await submit({ targetType: text, targetId: text, reason: text, detail: text });
      expect(answer.status).toBe(400);
      expectPage(answer.text, answer.headers);
      const { targetId, detail } = readFields(answer.text);
      expect({ targetId, detail }).toEqual({ targetId: text, detail: text });
    }
    const odd = await submit({}, { raw: `${encodeURIComponent('<b>"x"')}=1` });
    expect({ status: odd.status, hasMarkup: odd.text.includes('<b>') }).toEqual({
      status: 400,
      hasMarkup: false,
    });
  });

  it('[intake.errors] has an honest status when the form could not be read', async () => {
    const before = await listSettledRows();
    for (const [raw, status] of [
      ['detail=%ff', 400],
      ['detail=%00', 400],
      ['reason=spam&reason=spam', 400],
      [`detail=${'x'.repeat(600_000)}`, 413],
    ] as const) {
      const answer = await submit({}, { raw });
      expect({ raw: raw.slice(0, 20), status: answer.status }).toEqual({
        raw: raw.slice(0, 20),
        status,
      });
      expectPage(answer.text, answer.headers);
    }
    expect(
      (
        await submit(buildFields(), {
          headers: { accept: 'application/problem+json' },
          raw: 'reason=x',
        })
      ).body,
    ).toMatchObject({
      code: 'invalid_request',
      status: 400,
    });
    expect(await listSettledRows()).toEqual(before);
  });
});

describe('fileAnonymousReport from another site', () => {
  const host = new URL(app.url).host;
  it.each<[Record<string, string>, number]>([
    [{}, 200],
    [{ origin: `http://${host}` }, 200],
    [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site', origin: `http://${host}` }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: `https://evil.example:${host.split(':')[1]}` }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: '' }, 403],
    [{ referer: 'https://evil.example/page' }, 403],
    [{ referer: `http://${host}${INTAKE}` }, 200],
    [{ origin: 'https://evil.example', referer: `http://${host}${INTAKE}` }, 403],
  ])('[intake.cross-site] with %j answers %i', async (headers, status) => {
    const before = await listSettledRows();
    const answer = await submit(buildFields(), { headers });
    expect(answer.status).toBe(status);
    expectPage(answer.text, answer.headers);
    if (status === 403) expect(await listSettledRows()).toEqual(before);
  });

  it('[intake.cross-site] compares the address that the settings give, too', async () => {
    const node = await app.startNode({ BASE_URL: 'https://stoa.example' });
    const behind = {
      url: `http://127.0.0.1:${(node.app.http.server.address() as AddressInfo).port}`,
    };
    expect(
      (await submit(buildFields(), { headers: { origin: 'https://stoa.example' } }, behind)).status,
    ).toBe(200);
    expect(
      (await submit(buildFields(), { headers: { origin: 'http://stoa.example' } }, behind)).status,
    ).toBe(403);
  });
});

describe('fileAnonymousReport from one address', () => {
  it('[intake.rate] accepts five an hour over all nodes, whatever keys are sent', async () => {
    const limited = await app.startNode({ RATE_LIMITS: 'on' });
    const nodes = [limited, await app.startNode({ RATE_LIMITS: 'on' })];
    const file = (n: number, options?: RequestOptions) =>
      submit({ ...buildFields(), detail: 'One too many.' }, options, nodes[n % 2]);
    const agents = [await f.createAgent(), await f.createAgent()];
    for (let n = 0; n < 5; n++)
      expect((await file(n, n < 2 ? { key: agents[n]?.key } : {})).status, `report ${n}`).toBe(200);
    const before = await listSettledRows();
    for (const options of [{}, { key: agents[0]?.key }]) {
      for (const n of [0, 1]) {
        const refusal = await file(n, options);
        expect(refusal.status).toBe(429);
        expectPage(refusal.text, refusal.headers);
        expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(readFields(refusal.text)).toMatchObject({
          detail: 'One too many.',
          targetType: 'thread',
        });
      }
    }
    expect(await listSettledRows()).toEqual(before);
    expect((await call(limited.url, 'GET', INTAKE)).status).toBe(200);
    expect((await file(0, { admin: true })).status).toBe(200);
    app.clock.advance(3600_000 / 5);
    expect({ first: (await file(0)).status, second: (await file(1)).status }).toEqual({
      first: 200,
      second: 429,
    });
  });
});
