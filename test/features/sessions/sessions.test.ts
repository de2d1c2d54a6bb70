import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/operations.ts';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { everythingOn } from '../../everything.ts';
import { call, factories } from '../../support/factories.ts';
import { recorders } from '../interactions/setup.ts';
import { everythingStored } from '../../support/stored-rows.ts';
import { taskOf } from '../../task-calls.ts';
import { visitor } from '../../support/visitor.ts';
import { createWorld } from '../../operations/fixture.ts';

const app = await startApp({ ...(await everythingOn()), DATA_KEY: '5'.repeat(64) });
const f = factories(app);
const world = await createWorld(f);
const hidden = `/threads/${world.threads.hidden}`;
const INTAKE = '/moderation/intake';
const report = { targetType: 'agent', targetId: world.owner.id, reason: 'spam' };

/** All rows, when nothing of what was posted waits for its place in an index. */
async function stored(): Promise<string[]> {
  await app.app.jobs.runDue();
  return everythingStored(app.app.env.db);
}

/** Somebody who reads with the member's key, or another one. */
async function reader(key = world.member.key) {
  const v = visitor(app);
  expect((await v.signIn(key)).status).toBe(200);
  return v;
}

describe('signing in', () => {
  it('[session.begin] gives a sealed cookie for pages, and the page greets its agent', async () => {
    const v = visitor(app);
    const { status, headers, text } = await v.signIn(` ${world.member.key}\n`);
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(text).toContain(`You are signed in as @${world.member.handle}`);
    const cookie = headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^stoa_session=[\w-]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/,
    );
    const value = v.cookie.split('=')[1] ?? '';
    for (const form of ['base64url', 'base64', 'hex'] as const)
      expect(Buffer.from(value, form).toString('latin1')).not.toContain(
        world.member.key.slice(5, 20),
      );
    expect(cookie + text).not.toContain(world.member.key);
    const second = await visitor(app).signIn(world.member.key);
    expect(second.headers.get('set-cookie')).not.toBe(cookie);
    expect((await v.open('/rooms')).text).toContain(`>@${world.member.handle}</a>`);
  });

  it('[session.begin] is Secure and bound to the host under https', async () => {
    const behind = await app.another({ BASE_URL: 'https://stoa.example.org' });
    const { port } = behind.app.http.server.address() as AddressInfo;
    const { headers } = await call(`http://127.0.0.1:${port}`, 'POST', '/session', {
      idem: false,
      raw: `key=${world.member.key}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-stoa=[\w-]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  it('[session.begin] is refused with a wrong key, which is not shown again, and leaves nothing behind', async () => {
    const before = await stored();
    const wrong = [
      `${world.member.key.slice(0, -1)}x`,
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
    const blocked = await visitor(app).signIn(world.blocked.key);
    expect([blocked.status, blocked.headers.get('set-cookie')]).toEqual([403, null]);
    expect((await visitor(app).send('/session', {})).status).toBe(400);
    expect(await stored()).toEqual(before);
    expect(
      app.logs.filter((line) => line.includes(world.member.key) || line.includes(ADMIN_KEY)),
    ).toEqual([]);
  });
});

describe('a session', () => {
  it('[session.reads] [pages.etag] reads what its key may read, on every node, and nobody keeps it', async () => {
    const v = await reader();
    const another = await app.another();
    for (const url of [app.url, another.url]) {
      const { status, headers } = await v.open(hidden, url);
      expect([
        status,
        headers.get('cache-control'),
        headers.get('access-control-allow-origin'),
      ]).toEqual([200, 'private, no-store', null]);
    }
    expect((await v.open('/rooms')).text).toContain(`href="/rooms/${world.privateRoom}"`);
    expect((await v.open('/rooms')).headers.get('cache-control')).toBe('private, no-store');
    expect((await v.open('/credentials')).text).toContain(`Keys of @${world.member.handle}`);
    const outsider = await reader(world.outsider.key);
    const refused = await outsider.open(hidden);
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      404,
      null,
    ]);
    expect((await f.send('GET', hidden)).status).toBe(404);
    // A key in a header wins: the cookie is not looked at.
    expect(
      (
        await call(app.url, 'GET', hidden, {
          key: world.outsider.key,
          headers: { cookie: v.cookie },
        })
      ).status,
    ).toBe(404);
  });

  it('[session.files] downloads what is private from its page', async () => {
    const message = await f.post(world.owner, world.threads.hidden, 'See the file.');
    const file = await f.attach(world.owner, message.id, {
      name: 'plan.html',
      bytes: '<script>alert(1)</script>',
    });
    const v = await reader();
    const page = `${hidden}?anchorId=${message.id}`;
    const [, link = ''] =
      new RegExp(`href="(/files/${file.id})"`).exec((await v.open(page)).text) ?? [];
    const { status, headers, text } = await v.open(link);
    expect([
      status,
      text,
      headers.get('cache-control'),
      headers.get('access-control-allow-origin'),
    ]).toEqual([...[200, '<script>alert(1)</script>', 'private, no-store', null]]);
    expect([headers.get('content-disposition'), headers.get('content-security-policy')]).toEqual([
      'attachment; filename="plan.html"',
      'sandbox',
    ]);
    expect(headers.get('vary')).toContain('Cookie');
    const refused = [visitor(app), await reader(world.outsider.key), await reader(ADMIN_KEY)];
    for (const other of refused) {
      const answer = await other.open(link);
      expect([
        answer.status,
        answer.headers.get('content-type'),
        answer.text.includes('plan'),
      ]).toEqual([404, 'text/html; charset=utf-8', false]);
    }
    expect(
      (await call(app.url, 'GET', `/api/v1${link}`, { headers: { cookie: v.cookie } })).status,
    ).toBe(404);
    await f.ok('DELETE', `/api/v1/admin/messages/${message.id}`, { admin: true });
    expect((await v.open(link)).status).toBe(410);
  });

  it('[session.pages-only] is nothing to the API, and to no form that anyone may send', async () => {
    const [v, admin] = [await reader(), await reader(ADMIN_KEY)];
    const reads = operations.filter(
      ({ kind, method, path, auth }) =>
        kind === 'call' && method === 'GET' && auth !== 'public' && !path.includes('{'),
    );
    expect(reads.length).toBeGreaterThan(10);
    for (const { path, name } of reads) {
      for (const { cookie } of [v, admin]) {
        const answer = await call(app.url, 'GET', path, { headers: { cookie } });
        expect([name, answer.status, answer.body?.code]).toEqual([name, 401, 'unauthenticated']);
      }
    }
    for (const path of [
      `/api/v1${hidden}`,
      `/api/v1${hidden}/messages`,
      `${hidden}.md`,
      `/api/v1/rooms/${world.privateRoom}`,
    ])
      expect((await call(app.url, 'GET', path, { headers: { cookie: v.cookie } })).status).toBe(
        404,
      );
    const body = { title: 'T', body: 'B' };
    expect(
      (
        await call(app.url, 'POST', `/api/v1/rooms/${world.publicRoom}/threads`, {
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

  it('[session.revoked] ends for its reader with its key, and with the block of its agent, on every node', async () => {
    const agent = await f.agent();
    await f.invite(world.owner, world.privateRoom, agent);
    const [first, v] = [
      await reader(agent.key),
      await reader(await f.keyWith(agent, 'credentials')),
    ];
    expect([(await first.open(hidden)).status, (await v.open('/credentials')).status]).toEqual([
      200, 200,
    ]);
    await f.ok('POST', '/api/v1/me/keys/rotate', { key: agent.key });
    const refused = await first.open(hidden);
    expect([refused.status, first.cookie]).toEqual([401, '']);
    expect(refused.text).not.toContain('A thread');
    expect((await first.open('/rooms')).status).toBe(200);
    await f.ok('PUT', `/api/v1/admin/agents/${agent.id}/block`, {
      admin: true,
      body: { blocked: true },
    });
    const another = await app.another();
    expect((await v.open(hidden, another.url)).status).toBe(404);
    expect((await v.open('/credentials', another.url)).text).not.toContain('Keys of');
  });

  it('[session.token] is needed by its forms with the token of that very session', async () => {
    const [one, two] = [await reader(ADMIN_KEY), await reader(ADMIN_KEY)];
    const path = `/moderation/agents/${world.outsider.id}`;
    const before = await stored();
    const [token, other] = [await one.token(path), await two.token(path)];
    expect(token).not.toBe(other);
    for (const wrong of [undefined, '', other, `${token}x`]) {
      const sent = await one.send(path, {
        blocked: 'true',
        reason: 'R',
        ...(wrong !== undefined && { token: wrong }),
      });
      expect([sent.status, sent.headers.get('set-cookie')]).toEqual([403, null]);
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
    expect(await stored()).toEqual(before);
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
    const v = await reader(ADMIN_KEY);
    const token = (await v.token('/session')) ?? '';
    const before = await stored();
    for (const { path, name } of forms) {
      const address = path.replace('{id}', world.outsider.id);
      for (const headers of foreign) {
        const fields = {
          ...report,
          key: world.member.key,
          end: 'session',
          blocked: 'true',
          outcome: 'actioned',
        };
        for (const sent of [
          await visitor(app).send(address, fields, headers),
          await v.send(address, { ...fields, token }, headers),
        ])
          expect([name, sent.status, sent.headers.get('set-cookie')]).toEqual([name, 403, null]);
      }
    }
    expect(await stored()).toEqual(before);
    expect((await v.open('/moderation')).status).toBe(200);
  });

  it('[session.end] ends when its person signs out, when it is too old, and with a changed cookie', async () => {
    const v = await reader();
    const { cookie } = v;
    const out = await v.submit('/session', { key: world.member.key });
    expect(out.status).toBe(200);
    const token = await v.token('/session');
    const ended = await v.send('/session/end', { end: 'session', token: token ?? '' });
    expect([ended.status, v.cookie]).toEqual([200, '']);
    expect(ended.headers.get('set-cookie')).toMatch(
      /^stoa_session=; Path=\/; Max-Age=0; HttpOnly; SameSite=Strict$/,
    );
    expect((await v.open(hidden)).status).toBe(404);

    for (const changed of [
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
    const late = await reader();
    app.clock.advance(8 * 3600 * 1000 - 1000);
    expect((await late.open(hidden)).status).toBe(200);
    app.clock.advance(1000);
    expect((await late.open(hidden)).status).toBe(404);
  });
});

describe('moderation on pages', () => {
  const audit = (): Promise<{ action: string; reason: string; targetId: string }[]> =>
    f.ok('GET', '/api/v1/admin/audit?limit=5', { admin: true });

  it('[moderation.pages] reads reports in context and closes them, once', async () => {
    const message = await f.post(world.owner, world.threads.open, 'Buy <b>now</b>!');
    const { id } = await f.ok('POST', '/api/v1/reports', {
      key: world.member.key,
      body: {
        targetType: 'message',
        targetId: message.id,
        reason: 'spam',
        detail: 'Again & again.',
      },
    });
    const v = await reader(ADMIN_KEY);
    expect((await v.open('/moderation')).text).toContain(`href="/moderation/reports/${id}"`);
    const { text } = await v.open(`/moderation/reports/${id}`);
    for (const part of [
      'Buy &lt;b&gt;now&lt;/b&gt;!',
      'Again &amp; again.',
      `@${world.member.handle}`,
      `href="/threads/${world.threads.open}?anchorId=${message.id}#${message.id}"`,
      `href="/moderation/messages/${message.id}"`,
      `href="/moderation/agents/${world.owner.id}"`,
    ])
      expect(text).toContain(part);
    const r = recorders(f);
    const told = await r.record(
      world.owner,
      { agent: world.outsider.handle },
      { evidence: [{ kind: 'statement', text: 'I saw it.' }] },
    );
    const task = await taskOf(world, f, 'open');
    for (const [targetType, targetId, place] of [
      ['evidence', told.evidenceIds[0], `/interactions/${told.id}`],
      ['interaction', told.id, `/interactions/${told.id}`],
      ['task', task.id, `/tasks/${task.id}`],
    ]) {
      const { id: other } = await f.ok('POST', '/api/v1/reports', {
        key: world.member.key,
        body: { targetType, targetId, reason: 'other' },
      });
      expect((await v.open(`/moderation/reports/${other}`)).text).toContain(
        `Anyone can read it. <a href="${place}">Read it where it stands</a>`,
      );
    }
    expect((await v.submit(`/moderation/reports/${id}`, { outcome: 'dismissed' })).status).toBe(
      400,
    );
    const closed = await v.submit(`/moderation/reports/${id}`, {
      outcome: 'dismissed',
      note: 'An offer, not spam.',
    });
    expect(closed.status).toBe(200);
    expect((await audit())[0]).toMatchObject({
      action: 'report.resolved',
      targetId: id,
      reason: 'An offer, not spam.',
    });
    expect((await v.open('/moderation')).text).not.toContain(id);
    expect((await v.open('/moderation?state=dismissed')).text).toContain(id);
    expect((await v.open('/moderation/audit')).text).toContain('An offer, not spam.');
    const again = await v.send(`/moderation/reports/${id}`, {
      outcome: 'actioned',
      note: 'N',
      token: (await v.token('/session')) ?? '',
    });
    expect([again.status, again.text.includes('The report was not closed')]).toEqual([409, true]);
  });

  it('[moderation.pages] blocks and lets in again, and deletes for good, with a reason after a step that asks for it', async () => {
    const [agent, v] = [await f.agent(), await reader(ADMIN_KEY)];
    const path = `/moderation/agents/${agent.id}`;
    expect((await v.open(path)).text).toContain(`Block @${agent.handle}`);
    for (const unfit of [
      { blocked: 'perhaps', reason: 'R' },
      { blocked: 'true' },
      { blocked: 'true', reason: ' ' },
    ])
      expect((await v.submit(path, unfit)).status).toBe(400);
    expect((await v.submit(path, { blocked: 'true', reason: 'It floods.' })).status).toBe(200);
    expect((await audit())[0]).toMatchObject({
      action: 'agent.blocked',
      targetId: agent.id,
      reason: 'It floods.',
    });
    expect((await f.send('GET', '/api/v1/me', { key: agent.key })).status).toBe(403);
    expect((await v.open(path)).text).toContain(`Let @${agent.handle} in again`);
    expect((await v.submit(path, { blocked: 'false', reason: 'It stopped.' })).status).toBe(200);
    expect((await f.send('GET', '/api/v1/me', { key: agent.key })).status).toBe(200);

    const id = await f.thread(world.owner, world.publicRoom);
    const message = await f.post(world.owner, id, 'To go.');
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
    expect((await audit())[0]).toMatchObject({
      action: 'message.deleted',
      reason: 'Names a person.',
    });
    const receipt = await f.ok('GET', `/e/${message.receiptId}.json`);
    expect(receipt.current.state).toBe('deleted');
    expect((await v.submit(`/moderation/threads/${id}`, { reason: 'All of it.' })).status).toBe(
      200,
    );
    expect((await f.send('GET', `/api/v1/threads/${id}`)).status).toBe(410);
    expect((await audit())[0]).toMatchObject({ action: 'thread.deleted', reason: 'All of it.' });
  });

  it('[moderation.pages] shows nothing private on the step before a deletion, and nothing to others', async () => {
    const secret = await f.post(world.owner, world.threads.hidden, 'A secret.');
    const v = await reader(ADMIN_KEY);
    for (const path of [
      `/moderation/messages/${secret.id}`,
      `/moderation/threads/${world.threads.hidden}`,
    ]) {
      const { status, text } = await v.open(path);
      expect([
        status,
        text.includes('secret'),
        text.includes(`href="/threads/${world.threads.hidden}`),
      ]).toEqual([200, false, false]);
      expect((await (await reader()).open(path)).status).toBe(401);
    }
    expect((await v.open(hidden)).status).toBe(404);
  });
});
