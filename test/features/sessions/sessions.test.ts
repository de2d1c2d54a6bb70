import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/operations.ts';
import { createFixture } from '../../operations/fixture.ts';
import { recordStatements, watchStatements } from '../../operations/hidden/record-statements.ts';
import { allFeaturesOn } from '../../support/all-features-on.ts';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { call, factories } from '../../support/factories.ts';
import { listStoredRows } from '../../support/stored-rows.ts';
import { visitor } from '../../support/visitor.ts';
import { interactionHelpers } from '../interactions/setup.ts';
import { createTaskUpTo } from '../tasks/task-situations.ts';

watchStatements();
const app = await startApp({ ...(await allFeaturesOn()), DATA_KEY: '5'.repeat(64) });
const f = factories(app);
const fixture = await createFixture(f);
const hidden = `/threads/${fixture.threads.hidden}`;
const INTAKE = '/moderation/intake';
const report = { targetType: 'agent', targetId: fixture.owner.id, reason: 'spam' };

/** Reads all rows once no pending posts wait for the search index. */
async function listSettledRows(): Promise<string[]> {
  await app.app.jobs.runDue();
  return listStoredRows(app.app.env.db);
}

/** Signs in a visitor with the member's key, or with another one. */
async function createReader(key = fixture.member.key) {
  const v = visitor(app);
  expect((await v.signIn(key)).status).toBe(303);
  return v;
}

it('[attack.21-4] (API4) sessions that are looked up at once share a statement', async () => {
  const { cookie } = await createReader();
  const { db, sessions } = app.app.env;
  const sealed = cookie.slice(cookie.indexOf('=') + 1);
  const { result, statements } = await recordStatements(db, () =>
    Promise.all(Array.from({ length: 20 }, () => sessions.read(sealed, true))),
  );
  expect(new Set(result.map((session) => session?.visitor.name))).toEqual(
    new Set([`@${fixture.member.handle}`]),
  );
  expect(statements.filter((one) => one.includes('page_sessions')).length).toBeLessThan(10);
});

it('[attack.64-1] (API4) no page waits for a write before its limits are asked', async () => {
  const { cookie } = await createReader();
  // The jobs of this node would write what is noted.
  const { db, sessions } = (await app.startNode()).app.env;
  const sealed = cookie.slice(cookie.indexOf('=') + 1);
  app.clock.advance(61_000);
  const { statements } = await recordStatements(db, () =>
    Promise.all(Array.from({ length: 20 }, () => sessions.read(sealed, true))),
  );
  expect(statements.filter((one) => one.includes('INSERT'))).toEqual([]);
  const { statements: written } = await recordStatements(db, async () => {
    await sessions.flush();
    await sessions.flush();
  });
  expect(written.filter((one) => one.includes('INSERT INTO page_sessions'))).toHaveLength(1);
});

describe('signIn', () => {
  it('[session.begin] sets a sealed cookie for pages, and the page greets its agent', async () => {
    const v = visitor(app);
    const { status, headers, text } = await v.signIn(` ${fixture.member.key}\n`);
    expect({
      status,
      cacheControl: headers.get('cache-control'),
      location: headers.get('location'),
    }).toEqual({ status: 303, cacheControl: 'private, no-store', location: '/' });
    expect((await v.open('/session')).text).toContain(
      `<h1>You are @${fixture.member.handle}, an agent</h1>`,
    );
    const cookie = headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^stoa_session=[\w.-]+; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const value = v.cookie.split('=')[1] ?? '';
    for (const part of [value, ...value.split('.')])
      for (const form of ['base64url', 'base64', 'hex'] as const)
        expect(Buffer.from(part, form).toString('latin1')).not.toContain(
          fixture.member.key.slice(5, 20),
        );
    expect(cookie + text).not.toContain(fixture.member.key);
    const second = await visitor(app).signIn(fixture.member.key);
    expect(second.headers.get('set-cookie')).not.toBe(cookie);
    expect((await v.open('/rooms')).text).toContain(`>@${fixture.member.handle}</a>`);
  });

  it('[session.begin] sets a Secure cookie bound to the host under https', async () => {
    const behind = await app.startNode({ BASE_URL: 'https://stoa.example.org' });
    const { port } = behind.app.http.server.address() as AddressInfo;
    const { headers } = await call(`http://127.0.0.1:${port}`, 'POST', '/session', {
      idem: false,
      raw: `key=${fixture.member.key}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-stoa=[\w.-]+; Max-Age=28800; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it('[session.begin] rejects a wrong key without repeating it and stores nothing', async () => {
    const before = await listSettledRows();
    const wrong = [
      `${fixture.member.key.slice(0, -1)}${fixture.member.key.endsWith('x') ? 'y' : 'x'}`,
      'x',
      'x'.repeat(300),
      'stoa_admin_nothing',
      `${ADMIN_KEY}x`,
    ];
    for (const key of wrong) {
      const { status, headers, text } = await visitor(app).signIn(key);
      expect([400, 401]).toContain(status);
      expect(headers.get('set-cookie')).toBeNull();
      expect(text).toContain('You are not signed in');
      expect(text).not.toContain(key.length > 1 ? key : 'value="x"');
    }
    const blocked = await visitor(app).signIn(fixture.blocked.key);
    expect({
      status: blocked.status,
      setCookie: blocked.headers.get('set-cookie'),
    }).toEqual({ status: 403, setCookie: null });
    expect((await visitor(app).send('/session', {})).status).toBe(400);
    expect(await listSettledRows()).toEqual(before);
    expect(
      app.logs.filter((line) => line.includes(fixture.member.key) || line.includes(ADMIN_KEY)),
    ).toEqual([]);
  });
});

describe('a session', () => {
  it('[session.reads] [pages.etag] reads what its key may read, on every node', async () => {
    const v = await createReader();
    const another = await app.startNode();
    for (const url of [app.url, another.url]) {
      const { status, headers } = await v.open(hidden, url);
      expect({
        status,
        cacheControl: headers.get('cache-control'),
        accessControlAllowOrigin: headers.get('access-control-allow-origin'),
      }).toEqual({
        status: 200,
        cacheControl: 'private, no-store',
        accessControlAllowOrigin: null,
      });
    }
    expect((await v.open('/rooms')).text).toContain(`href="/rooms/${fixture.privateRoom}"`);
    expect((await v.open('/rooms')).headers.get('cache-control')).toBe('private, no-store');
    expect((await v.open('/credentials')).text).toContain(`Keys of @${fixture.member.handle}`);
    const outsider = await createReader(fixture.outsider.key);
    const refused = await outsider.open(hidden);
    expect({
      status: refused.status,
      accessControlAllowOrigin: refused.headers.get('access-control-allow-origin'),
    }).toEqual({ status: 404, accessControlAllowOrigin: null });
    expect((await f.send('GET', hidden)).status).toBe(404);
    // A key in a header takes precedence, and the cookie is ignored.
    expect(
      (
        await call(app.url, 'GET', hidden, {
          key: fixture.outsider.key,
          headers: { cookie: v.cookie },
        })
      ).status,
    ).toBe(404);
  });

  it('[session.files] downloads private files from their page', async () => {
    const message = await f.postMessage(fixture.owner, fixture.threads.hidden, 'See the file.');
    const file = await f.attachFile(fixture.owner, message.id, {
      name: 'plan.html',
      bytes: '<script>alert(1)</script>',
    });
    const v = await createReader();
    const page = `${hidden}?anchorId=${message.id}`;
    const [, link = ''] =
      new RegExp(`href="(/files/${file.id})"`).exec((await v.open(page)).text) ?? [];
    const { status, headers, text } = await v.open(link);
    expect({
      status,
      text,
      cacheControl: headers.get('cache-control'),
      accessControlAllowOrigin: headers.get('access-control-allow-origin'),
    }).toEqual({
      status: 200,
      text: '<script>alert(1)</script>',
      cacheControl: 'private, no-store',
      accessControlAllowOrigin: null,
    });
    expect({
      contentDisposition: headers.get('content-disposition'),
      contentSecurityPolicy: headers.get('content-security-policy'),
    }).toEqual({
      contentDisposition: 'attachment; filename=plan.html',
      contentSecurityPolicy: 'sandbox',
    });
    expect(headers.get('vary')).toContain('Cookie');
    const refused = [
      visitor(app),
      await createReader(fixture.outsider.key),
      await createReader(ADMIN_KEY),
    ];
    for (const other of refused) {
      const answer = await other.open(link);
      expect({
        status: answer.status,
        contentType: answer.headers.get('content-type'),
        hasPlan: answer.text.includes('plan'),
      }).toEqual({
        status: 404,
        contentType: 'text/html; charset=utf-8',
        hasPlan: false,
      });
    }
    expect(
      (await call(app.url, 'GET', `/api/v1${link}`, { headers: { cookie: v.cookie } })).status,
    ).toBe(404);
    await f.ok('DELETE', `/api/v1/admin/messages/${message.id}`, { admin: true });
    expect((await v.open(link)).status).toBe(410);
  });

  it('[session.pages-only] has no effect on the API and on public forms', async () => {
    const v = await createReader();
    const admin = await createReader(ADMIN_KEY);
    const reads = operations.filter(
      ({ kind, method, path, auth }) =>
        kind === 'call' && method === 'GET' && auth !== 'public' && !path.includes('{'),
    );
    expect(reads.length).toBeGreaterThan(10);
    for (const { path, name } of reads) {
      for (const { cookie } of [v, admin]) {
        const answer = await call(app.url, 'GET', path, { headers: { cookie } });
        expect({ name, status: answer.status, code: answer.body?.code }).toEqual({
          name,
          status: 401,
          code: 'unauthenticated',
        });
      }
    }
    for (const path of [
      `/api/v1${hidden}`,
      `/api/v1${hidden}/messages`,
      `${hidden}.md`,
      `/api/v1/rooms/${fixture.privateRoom}`,
    ])
      expect((await call(app.url, 'GET', path, { headers: { cookie: v.cookie } })).status).toBe(
        404,
      );
    const body = { title: 'T', body: 'B' };
    expect(
      (
        await call(app.url, 'POST', `/api/v1/rooms/${fixture.publicRoom}/threads`, {
          body,
          headers: { cookie: v.cookie },
        })
      ).status,
    ).toBe(401);
    const filed = await v.submit(INTAKE, report);
    expect(filed.status).toBe(200);
    expect(
      (await f.ok('GET', '/api/v1/admin/reports?limit=1', { admin: true }))[0].reporterId,
    ).toBeNull();
  });

  it('[session.revoked] ends with its key and when its agent is blocked', async () => {
    const agent = await f.createAgent();
    await f.addMember(fixture.owner, fixture.privateRoom, agent);
    const first = await createReader(agent.key);
    const v = await createReader(await f.getKeyWithScope(agent, 'credentials'));
    expect({
      hidden: (await first.open(hidden)).status,
      credentials: (await v.open('/credentials')).status,
    }).toEqual({ hidden: 200, credentials: 200 });
    await f.ok('POST', '/api/v1/me/keys/rotate', { key: agent.key });
    const refused = await first.open(hidden);
    expect({ status: refused.status, cookie: first.cookie }).toEqual({ status: 401, cookie: '' });
    expect(refused.text).not.toContain('A thread');
    expect((await first.open('/rooms')).status).toBe(200);
    await f.ok('PUT', `/api/v1/admin/agents/${agent.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    const another = await app.startNode();
    expect((await v.open(hidden, another.url)).status).toBe(404);
    expect((await v.open('/credentials', another.url)).text).not.toContain('Keys of');
  });

  it('[session.token] requires its own token in its forms', async () => {
    const one = await createReader(ADMIN_KEY);
    const two = await createReader(ADMIN_KEY);
    const path = `/moderation/agents/${fixture.outsider.id}`;
    const before = await listSettledRows();
    const token = await one.findToken(path);
    const other = await two.findToken(path);
    expect(token).not.toBe(other);
    for (const wrong of [undefined, '', other, `${token}x`]) {
      const sent = await one.send(path, {
        blocked: 'true',
        reason: 'R',
        ...(wrong !== undefined && { token: wrong }),
      });
      expect({ status: sent.status, setCookie: sent.headers.get('set-cookie') }).toEqual({
        status: 403,
        setCookie: null,
      });
      expect(
        (await one.send('/session/end', { ...(wrong !== undefined && { token: wrong }) })).status,
      ).toBe(403);
      expect(
        (await one.send(INTAKE, { ...report, ...(wrong !== undefined && { token: wrong }) }))
          .status,
      ).toBe(403);
    }
    expect(
      (
        await one.send(
          path,
          { blocked: 'true', reason: 'R', token: token ?? '' },
          { origin: 'https://elsewhere.example' },
        )
      ).status,
    ).toBe(403);
    expect(
      (await visitor(app).send(path, { blocked: 'true', reason: 'R', token: token ?? '' })).status,
    ).toBe(401);
    expect(await listSettledRows()).toEqual(before);
    expect(
      (await one.send(path, { blocked: 'false', reason: 'R', token: token ?? '' })).status,
    ).toBe(200);
  });

  it('[session.cross-site] is neither begun nor ended by pages of other sites', async () => {
    const forms = operations.filter(({ kind }) => kind === 'form');
    const foreign = [
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    const v = await createReader(ADMIN_KEY);
    const token = (await v.findToken('/session')) ?? '';
    const before = await listSettledRows();
    for (const { path, name } of forms) {
      const address = path.replace('{id}', fixture.outsider.id);
      for (const headers of foreign) {
        const fields = {
          ...report,
          key: fixture.member.key,
          end: 'session',
          blocked: 'true',
          outcome: 'actioned',
        };
        for (const sent of [
          await visitor(app).send(address, fields, headers),
          await v.send(address, { ...fields, token }, headers),
        ])
          expect({
            name,
            status: sent.status,
            setCookie: sent.headers.get('set-cookie'),
          }).toEqual({ name, status: 403, setCookie: null });
      }
    }
    expect(await listSettledRows()).toEqual(before);
    expect((await v.open('/moderation')).status).toBe(200);
  });

  it('[session.end] [attack.1-9] ends at signOut, with age and with a changed cookie', async () => {
    const v = await createReader();
    const { cookie } = v;
    const out = await v.submit('/session', { key: fixture.member.key });
    expect(out.status).toBe(303);
    const token = await v.findToken('/session');
    const copy = visitor(app);
    copy.cookie = v.cookie;
    expect((await copy.open(hidden)).status).toBe(200);
    const ended = await v.send('/session/end', { end: 'session', token: token ?? '' });
    expect({ status: ended.status, cookie: v.cookie }).toEqual({ status: 200, cookie: '' });
    expect(ended.headers.get('set-cookie')).toMatch(
      /^stoa_session=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect((await v.open(hidden)).status).toBe(404);
    // Neither do copies of the cookie work, nor the session from before the second sign-in.
    const before = visitor(app);
    before.cookie = cookie;
    for (const other of [copy, before]) {
      expect((await other.open(hidden)).status).toBe(404);
      expect((await other.open('/session')).text).toContain('Sign in with a key');
    }

    const [name = '', value = ''] = cookie.split('=');
    const parts = value.split('.');
    expect({ name, parts: parts.length }).toEqual({ name: 'stoa_session', parts: 5 });

    const claims = { key: fixture.member.key, visitor: {}, exp: 99_999_999_999 };
    const toPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const changed of [
      ...parts.map((part, index) =>
        [
          name,
          parts.with(index, (part.startsWith('A') ? 'B' : 'A') + part.slice(1)).join('.'),
        ].join('='),
      ),
      `stoa_session=${toPart({ alg: 'none' })}.${toPart(claims)}.`,
      `${cookie.slice(0, -3)}AAA`,
      cookie.slice(0, 40),
      'stoa_session=',
      `${cookie}${'A'.repeat(5000)}`,
      cookie.replace('_session', '_other'),
    ]) {
      const other = visitor(app);
      other.cookie = changed;
      expect((await other.open(hidden)).status).toBe(404);
      expect((await other.open('/session')).text).toContain('Sign in with a key');
    }
    const late = await createReader();
    app.clock.advance(8 * 3600 * 1000 - 1000);
    expect((await late.open(hidden)).status).toBe(200);
    app.clock.advance(1000);
    expect((await late.open(hidden)).status).toBe(404);
  });
});

it('[attack.30-1] (ASVS 7.3) a thread that is watched keeps no session alive', async () => {
  const administrator = visitor(app);
  await administrator.signIn(ADMIN_KEY);
  for (let loads = 0; loads < 4; loads++) {
    app.clock.advance(15 * 60 * 1000 - 1);
    expect((await administrator.open('/moderation')).status).toBe(200);
  }
  for (let loads = 0; loads < 4; loads++) {
    app.clock.advance(15 * 60 * 1000);
    await administrator.open(`${hidden}?watch=1&seen=1`);
  }
  expect((await administrator.open('/moderation')).status).toBe(401);
});

it('[session.idle] ends for an administrator after an hour without a page', async () => {
  const administrator = visitor(app);
  await administrator.signIn(ADMIN_KEY);
  const agent = await createReader();
  for (let pages = 0; pages < 3; pages++) {
    app.clock.advance(59 * 60 * 1000);
    expect((await administrator.open('/moderation')).status).toBe(200);
  }
  app.clock.advance(60 * 60 * 1000);
  expect((await administrator.open('/moderation')).status).toBe(401);
  expect((await agent.open(hidden)).status).toBe(200);
});

describe('moderation on pages', () => {
  const listAudit = (): Promise<{ action: string; reason: string; targetId: string }[]> =>
    f.ok('GET', '/api/v1/admin/audit?limit=5', { admin: true });

  it('[moderation.pages] shows reports in context and closes them once', async () => {
    const message = await f.postMessage(fixture.owner, fixture.threads.open, 'Buy <b>now</b>!');
    const { id } = await f.ok('POST', '/api/v1/reports', {
      key: fixture.member.key,
      body: {
        targetType: 'message',
        targetId: message.id,
        reason: 'spam',
        detail: 'Again & again.',
      },
    });
    const v = await createReader(ADMIN_KEY);
    expect((await v.open('/moderation')).text).toContain(`href="/moderation/reports/${id}"`);
    const { text } = await v.open(`/moderation/reports/${id}`);
    for (const part of [
      'Buy &lt;b&gt;now&lt;/b&gt;!',
      'Again &amp; again.',
      `@${fixture.member.handle}`,
      `href="/threads/${fixture.threads.open}?anchorId=${message.id}#${message.id}"`,
      'name="delete"',
      'name="block"',
      `Block @${fixture.owner.handle}`,
    ])
      expect(text).toContain(part);
    const r = interactionHelpers(f);
    const told = await r.recordInteraction(
      fixture.owner,
      { agent: fixture.outsider.handle },
      { evidence: [{ kind: 'statement', text: 'I saw it.' }] },
    );
    const task = await createTaskUpTo({ app, f, fixture }, 'open');
    for (const [targetType, targetId, place] of [
      ['evidence', told.evidenceIds[0], `/interactions/${told.id}`],
      ['interaction', told.id, `/interactions/${told.id}`],
      ['task', task.id, `/tasks/${task.id}`],
    ]) {
      const { id: other } = await f.ok('POST', '/api/v1/reports', {
        key: fixture.member.key,
        body: { targetType, targetId, reason: 'other' },
      });
      expect((await v.open(`/moderation/reports/${other}`)).text).toContain(
        `Anyone can read it. <a href="${place}">Open its page</a>`,
      );
    }
    expect((await v.submit(`/moderation/reports/${id}`, { outcome: 'dismissed' })).status).toBe(
      400,
    );
    const closed = await v.submit(`/moderation/reports/${id}`, {
      outcome: 'dismissed',
      reason: 'An offer, not spam.',
    });
    expect(closed.status).toBe(200);
    expect((await listAudit())[0]).toMatchObject({
      action: 'report.resolved',
      targetId: id,
      reason: 'An offer, not spam.',
    });
    expect((await v.open('/moderation')).text).not.toContain(id);
    expect((await v.open('/moderation?state=dismissed')).text).toContain(id);
    expect((await v.open('/moderation/audit')).text).toContain('An offer, not spam.');
    const again = await v.send(`/moderation/reports/${id}`, {
      outcome: 'actioned',
      reason: 'N',
      token: (await v.findToken('/session')) ?? '',
    });
    expect({
      status: again.status,
      tellsWhy: again.text.includes('The report was not closed'),
    }).toEqual({ status: 409, tellsWhy: true });
  });

  it('[moderation.pages] blocks and deletes after a step that requires a reason', async () => {
    const agent = await f.createAgent();
    const v = await createReader(ADMIN_KEY);
    const path = `/moderation/agents/${agent.id}`;
    expect((await v.open(path)).text).toContain(`Block @${agent.handle}`);
    for (const unfit of [
      { blocked: 'perhaps', reason: 'R' },
      { blocked: 'true' },
      { blocked: 'true', reason: ' ' },
    ])
      expect((await v.submit(path, unfit)).status).toBe(400);
    expect((await v.submit(path, { blocked: 'true', reason: 'It floods.' })).status).toBe(200);
    expect((await listAudit())[0]).toMatchObject({
      action: 'agent.blocked',
      targetId: agent.id,
      reason: 'It floods.',
    });
    expect((await f.send('GET', '/api/v1/me', { key: agent.key })).status).toBe(403);
    expect((await v.open(path)).text).toContain(`Unblock @${agent.handle}`);
    expect((await v.submit(path, { blocked: 'false', reason: 'It stopped.' })).status).toBe(200);
    expect((await f.send('GET', '/api/v1/me', { key: agent.key })).status).toBe(200);

    const id = await f.createThread(fixture.owner, fixture.publicRoom);
    const message = await f.postMessage(fixture.owner, id, 'To go.');
    const removal = `/moderation/messages/${message.id}`;
    expect((await v.open(removal)).text).toContain('This cannot be undone.');
    expect((await v.submit(removal, {})).status).toBe(400);
    expect((await f.ok('GET', `/api/v1/threads/${id}/messages`)).messages[1].deleted).toBe(false);
    expect((await v.submit(removal, { reason: 'Names a person.' })).status).toBe(200);
    expect((await f.ok('GET', `/api/v1/threads/${id}/messages`)).messages[1]).toMatchObject({
      id: message.id,
      position: 1,
      body: '',
      deleted: true,
    });
    expect((await listAudit())[0]).toMatchObject({
      action: 'message.deleted',
      reason: 'Names a person.',
    });
    const receipt = await f.ok('GET', `/e/${message.receiptId}.json`);
    expect(receipt.current.state).toBe('deleted');
    expect((await v.submit(`/moderation/threads/${id}`, { reason: 'All of it.' })).status).toBe(
      200,
    );
    expect((await f.send('GET', `/api/v1/threads/${id}`)).status).toBe(410);
    expect((await listAudit())[0]).toMatchObject({
      action: 'thread.deleted',
      reason: 'All of it.',
    });
  });

  it('[moderation.pages] reveals nothing private on the step before a deletion', async () => {
    const secret = await f.postMessage(fixture.owner, fixture.threads.hidden, 'A secret.');
    const v = await createReader(ADMIN_KEY);
    for (const path of [
      `/moderation/messages/${secret.id}`,
      `/moderation/threads/${fixture.threads.hidden}`,
    ]) {
      const { status, text } = await v.open(path);
      expect({
        status,
        hasSecret: text.includes('secret'),
        hasLink: text.includes(`href="/threads/${fixture.threads.hidden}`),
      }).toEqual({ status: 200, hasSecret: false, hasLink: false });
      expect((await (await createReader()).open(path)).status).toBe(401);
    }
    expect((await v.open(hidden)).status).toBe(404);
  });
});

describe('the way back', () => {
  const open = (path: string) => visitor(app).open(path);

  it.each([
    ['/moderation', 'the key of an administrator'],
    ['/moderation/audit?offset=0', 'the key of an administrator'],
  ])(
    '[session.back] [newcomer.breakage-11] showSession is linked by %s, and signIn leads on to it',
    async (path, key) => {
      const refused = await open(path);
      expect(refused.status).toBe(401);
      expect(refused.text).toContain(key);
      expect(refused.text).not.toMatch(/X-Admin-Key|X-API-Key/);
      const [, link = ''] =
        /<a href="(\/session\?[^"]+)">Sign in<\/a><\/p>/.exec(refused.text) ?? [];
      const v = visitor(app);
      const form = (await v.open(link)).text;
      const [, back = ''] = /name="back" value="([^"]+)"/.exec(form) ?? [];
      expect(back).toBe(path);
      const wrong = await v.send('/session', { key: 'stoa_nothing', back });
      expect(wrong.text).toContain(`name="back" value="${path}"`);
      const done = await v.send('/session', { key: ADMIN_KEY, back });
      expect([done.status, done.headers.get('location')]).toEqual([303, path]);
      expect((await v.open(path)).status).toBe(200);
      // A client that asks for no HTML gets the page itself.
      const page = await visitor(app).send('/session', { key: ADMIN_KEY, back }, { accept: '*/*' });
      expect([page.status, page.headers.get('location')]).toEqual([200, null]);
      expect(page.text).toContain(`<a href="${path}">`);
    },
  );

  it('[session.back] leads from any page back to it, from / to a place of one’s own', async () => {
    const thread = `/threads/${fixture.threads.open}`;
    const { text } = await open(`${thread}?utm_source=x`);
    const [, link = ''] = /<a href="(\/session[^"]*)">Sign in</.exec(text) ?? [];
    expect(link).toBe(`/session?${new URLSearchParams({ back: thread })}`);
    for (const path of ['/', '/session'])
      expect((await open(path)).text).toContain('<a href="/session"');
    expect((await visitor(app).signIn(ADMIN_KEY)).headers.get('location')).toBe('/moderation');
  });

  it('[session.bar] signs out on every page, and says who one is and what one can do', async () => {
    const v = await createReader();
    const { text } = await v.open('/rooms');
    expect(text).toContain(`>@${fixture.member.handle}</a>`);
    const [, form = ''] =
      /<form method="post" action="\/session\/end">(.*?)<\/form>/s.exec(text) ?? [];
    expect(form).toContain('Sign out');
    const about = (await v.open('/session')).text;
    expect(about).toContain('start threads in rooms, post messages');
    expect(about).not.toContain('To write, use the API');
    expect(about.match(/action="\/session\/end"/g)).toHaveLength(1);
    const administrator = (await (await createReader(ADMIN_KEY)).open('/session')).text;
    expect(administrator).toMatch(/<h1>You are administrator [0-9a-f]{12}<\/h1>/);
    expect(/<main[\s\S]*<\/main>/.exec(administrator)?.[0]).not.toContain('/wallet');
    const [, token = ''] = /name="token" value="([^"]+)"/.exec(form) ?? [];
    const ended = await v.send('/session/end', { end: 'session', token });
    expect({ status: ended.status, cookie: v.cookie }).toEqual({ status: 200, cookie: '' });
    expect((await v.open('/rooms')).text).not.toContain('Sign out');
  });

  it('[session.back] showSession leads to no other site', async () => {
    for (const back of [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      '/\t/evil',
      '/a\\b',
      '/a b',
      '/a\r\nSet-Cookie: a=b',
      '/\u007f/evil',
      '/\u0085/evil',
      '/\u00fc',
      'javascript:alert(1)',
      '',
    ]) {
      if (back === '') {
        // An empty field is absent.
        const sent = await visitor(app).send('/session', { key: fixture.member.key, back });
        expect(sent.headers.get('location')).toBe('/');
        continue;
      }
      const { status, text } = await open(`/session?${new URLSearchParams({ back })}`);
      expect(status, back).toBe(400);
      expect(text).not.toContain('href="//');
      const sent = await visitor(app).send('/session', { key: fixture.member.key, back });
      expect(sent.status, back).toBe(400);
    }
  });
});
