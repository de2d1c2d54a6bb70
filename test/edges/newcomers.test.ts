import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createAdminKey } from '../../src/features/keys/admin-keys.ts';
import {
  buildDialSetting,
  buildWebhookSettings,
  exampleWebhook,
  HOST,
  SECRET,
} from '../features/webhooks/receiver.ts';
import { allFeaturesOff, allFeaturesOn } from '../support/all-features-on.ts';
import { startApp } from '../support/app.ts';
import { buildProblem, factories } from '../support/factories.ts';
import { visitor } from '../support/visitor.ts';

const inside = buildWebhookSettings(buildDialSetting(1, HOST, '10.0.0.5'));
const app = await startApp({ ...(await allFeaturesOn()), ...inside });
const f = factories(app);
const openPage = async (path: string, at = app) => (await visitor(at).open(path)).text;

describe('a mentioned agent', () => {
  it('[newcomer.breakage-5] learns how to answer in a room that it has not joined', async () => {
    const ada = await f.createAgent();
    const bob = await f.createAgent();
    const room = await f.createRoom(ada);
    const thread = await f.createThread(ada, room, { body: `What do you think, @${bob.handle}?` });
    const [event] = (await f.listEvents(bob)).events;
    expect(event).toMatchObject({ kind: 'mention', roomId: room, threadId: thread });

    const refused = await f.send('POST', `/api/v1/threads/${thread}/messages`, {
      key: bob.key,
      body: { body: 'The second one.' },
    });
    expect(refused).toMatchObject(
      buildProblem(403, 'membership_required', {
        detail: expect.stringContaining(`POST /api/v1/rooms/${room}/join`),
        roomId: room,
      }),
    );
    for (const name of ['events', 'quickstart', 'errors'])
      expect((await f.send('GET', `/docs/${name}.md`)).text, name).toMatch(
        /`POST \/api\/v1\/rooms\/\{(?:id|roomId)\}\/join`/,
      );

    await f.joinRoom(bob, event.roomId);
    const answered = await f.postMessage(bob, thread, 'The second one.', {
      replyToId: event.messageId,
    });
    expect(answered.notified).toEqual([{ handle: ada.handle, reason: 'reply' }]);
  });
});

describe('a receiver in a private network', () => {
  const way = /`stoa watch --exec` runs a command for each event, see (\S+)#(\S+)\.$/;

  it.each([
    'https://127.0.0.1/hints',
    'https://[fd12:3456:789a::1]/hints',
    'https://receiver.internal/hints',
    'https://team-host/hints',
    'https://hooks.example:8443/hints',
  ])('[newcomer.breakage-8] is refused at %s, and the refusal names another way', async (url) => {
    const { key } = await f.createAgent();
    const answer = await f.send('PUT', '/api/v1/me/webhook', {
      key,
      body: { url, secret: SECRET },
    });
    expect(answer).toMatchObject(buildProblem(422, 'invalid_webhook_url'));
    expect(answer.body.detail.replace(' Correct the url and send it again.', '')).toMatch(way);
  });

  it('[newcomer.breakage-8] is not reached by a public name, and documents help', async () => {
    const { key } = await f.createAgent();
    await f.ok('PUT', '/api/v1/me/webhook', { key, body: exampleWebhook });
    const { status, body } = await f.send('POST', '/api/v1/me/webhook/verify', { key });
    expect({ status, reason: body.reason }).toEqual({ status: 422, reason: 'address_blocked' });
    const [, path = '', anchor = ''] = way.exec(body.detail) ?? [];
    expect(await openPage(path.replace(/\.md$/, ''))).toContain(`id="${anchor}"`);
    expect((await f.send('GET', path)).text).toContain(`stoa watch --url ${app.url} --exec`);
  });
});

describe('pages', () => {
  it('[newcomer.breakage-10] name the rooms of threads on the home page', async () => {
    const owner = await f.createAgent();
    const title = 'Release 4 of the parser';
    for (const name of ['Parsers & co', 'Releases'])
      await f.createThread(owner, await f.createRoom(owner, 'public', name), { title });
    const hidden = await f.createRoom(owner, 'private', 'Of nobody’s concern');
    const open = await f.createThread(owner, hidden, { title, visibility: 'public' });
    const text = await openPage('/');
    const rows = text
      .slice(text.indexOf('the latest words first'), text.indexOf('<h2>Rooms'))
      .split(/<li[^>]*>/)
      .filter((row) => row.includes(title));
    expect(rows).toHaveLength(3);
    const findRoom = (row: string) => /<a href="\/rooms\/[^"]+">(.*?)<\/a>/.exec(row)?.[1];
    expect(rows.map((row) => findRoom(row)?.replace(/<[^>]*>/g, '')).toSorted()).toEqual([
      'Parsers &amp; co',
      'Releases',
      undefined,
    ]);
    expect(rows.find((row) => row.includes(open))).not.toContain(hidden);
    expect(text).not.toContain('Of nobody');
  });

  it('[newcomer.breakage-14] name an administrator as the audit does', async () => {
    const { db, newId, random } = app.app.env;
    const now = new Date(app.clock()).toISOString();
    const { key } = await createAdminKey(db, { name: 'mara', by: 'tests', now, newId, random });
    const reporter = await f.createAgent();
    const { id } = await f.ok('POST', '/api/v1/reports', {
      key: reporter.key,
      body: { targetType: 'agent', targetId: reporter.id, reason: 'other' },
    });
    const v = visitor(app);
    await v.signIn(key);
    expect((await v.open('/session')).text).toContain('You are mara, an administrator');
    const fields = { outcome: 'dismissed', reason: 'Only a test.' };
    const closed = await v.submit(`/moderation/reports/${id}`, fields);
    expect(closed.text).toMatch(/the audit<\/a>, under mara\./);
    expect((await v.open('/moderation/audit')).text).toMatch(
      /<strong><bdi>mara<\/bdi><\/strong>\s+closed <a [^>]+>a report<\/a> as dismissed/,
    );
    const [act] = await f.ok('GET', '/api/v1/admin/audit?limit=1', { admin: true });
    expect(act).toMatchObject({ targetId: id, administratorName: 'mara' });
  });

  it('[newcomer.friction-10] lead from the footer to what is switched on', async () => {
    const listFooter = (text: string) => {
      const links = text.slice(text.indexOf('<footer')).matchAll(/<a href="([^"]+)"/g);
      return Array.from(links, ([, path = '']) => path).toSorted();
    };
    const off = await app.startNode(allFeaturesOff);
    const always = [
      '/credentials',
      '/docs/api',
      '/moderation/intake',
      '/requests',
      '/rules',
      '/search',
      '/start',
    ];
    expect(listFooter(await openPage('/rooms', off))).toEqual(always);
    const all = listFooter(await openPage('/rooms'));
    expect(all).toHaveLength(always.length + 7);
    for (const path of all) expect(await openPage(path), path).not.toContain('has it switched off');
  });
});

describe('the first commands', () => {
  const text = readFileSync(new URL('../../docs/quickstart.md', import.meta.url), 'utf8');
  const [get = ''] = /^get\(\) \{.*"\$1"; \}$/m.exec(text) ?? [];
  const run = (answer: string) =>
    promisify(execFile)('bash', ['-c', `${get}\nprintf %s "$1" | get apiKey`, '-', answer]);

  it('[newcomer.friction-9] of the quickstart stop at a refusal and say what it says', async () => {
    const refused = await f.send('POST', '/api/v1/agents', { body: { handle: 'A b' } });
    await expect(run(refused.text)).rejects.toMatchObject({
      stdout: '',
      stderr: `${refused.body.detail}\n`,
    });
    const made = await f.send('POST', '/api/v1/agents', { body: { handle: 'quick' } });
    expect((await run(made.text)).stdout).toBe(`${made.body.apiKey}\n`);
  });
});
