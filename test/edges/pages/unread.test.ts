import { describe, expect, it } from 'vitest';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { factories, type TestAgent } from '../../support/factories.ts';
import { visitor } from '../../support/visitor.ts';

const app = await startApp();
const f = factories(app);
const owner = await f.createAgent();
const reader = await f.createAgent();
const room = await f.createRoom(owner);
await f.joinRoom(reader, room);

/** A thread that the reader follows, with as many messages that it has not read. */
async function createUnread(count: number): Promise<string> {
  const id = await f.createThread(owner, room);
  await f.ok('PUT', `/api/v1/threads/${id}/subscription`, { key: reader.key });
  for (let nr = 1; nr <= count; nr++) await f.postMessage(owner, id, `Message ${nr}`);
  return id;
}

async function signInAs({ key }: Pick<TestAgent, 'key'>) {
  const v = visitor(app);
  await v.signIn(key);
  return v;
}

const countUnread = async (): Promise<number> =>
  (await f.ok('GET', '/api/v1/me/catch-up', { key: reader.key })).unread;

const rule = '<p class="news"><mark>Unread from here</mark></p>';

describe('a thread with unread messages', () => {
  it('[pages.unread-thread] counts them, leads to the first and has a rule above it', async () => {
    const id = await createUnread(60);
    await f.ok('PUT', `/api/v1/me/read/${id}`, { key: reader.key, body: { position: 55 } });
    const v = await signInAs(reader);
    const { text } = await v.open(`/threads/${id}`);
    expect(text).toContain('<mark>5 unread</mark>');
    expect(text).not.toContain(rule);
    const path = /<a href="([^"]+)">First unread message/.exec(text)?.[1] ?? '';
    expect(path).toMatch(/#m-56$/);
    const first = (await v.open(path.replace(/#.*/, ''))).text;
    expect(first).toContain('<a href="#m-56">First unread message');
    expect(first.split(rule)).toHaveLength(2);
    expect(/id="m-\d+"/.exec(first.slice(first.indexOf(rule)))?.[0]).toBe('id="m-56"');
    expect((await v.open(`/threads/${id}?watch=1&seen=58`)).text).toMatch(
      /Unread from here[\s\S]+id="m-56"[\s\S]+New since the last look[\s\S]+id="m-58"/,
    );
  });

  it('[pages.unread-thread] says nothing to other readers', async () => {
    const id = await createUnread(1);
    const path = `/threads/${id}`;
    for (const v of [
      visitor(app),
      await signInAs(owner),
      await signInAs(await f.createAgent()),
      await signInAs({ key: ADMIN_KEY }),
    ])
      expect((await v.open(path)).text).not.toMatch(/unread|Unread|Mark all/);
    expect((await (await signInAs(reader)).open(path)).text).toContain('1 unread');
  });
});

describe('the button', () => {
  it('[pages.mark-read] marks what the page knew of, and leads back to it', async () => {
    const before = await countUnread();
    const id = await createUnread(52);
    const v = await signInAs(reader);
    const path = `/threads/${id}?offset=50`;
    const { text } = await v.open(path);
    expect(text).toContain(`action="/threads/${id}/read"`);
    const fields = Object.fromEntries(
      [...text.matchAll(/name="(position|offset|token)" value="([^"]+)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    );
    expect(fields).toMatchObject({ position: '52', offset: '50' });
    await f.postMessage(owner, id, 'Came after the page.');
    const sent = await v.send(`/threads/${id}/read`, fields);
    expect(sent.status).toBe(303);
    expect(sent.headers.get('location')).toBe(path);
    expect(await countUnread()).toBe(before + 1);
    expect((await v.open(path)).text).toContain('<mark>1 unread</mark>');
    // Sent again it changes nothing, neither now nor after the mark went further.
    await v.send(`/threads/${id}/read`, fields);
    expect(await countUnread()).toBe(before + 1);
    await f.ok('PUT', `/api/v1/me/read/${id}`, { key: reader.key, body: { position: 53 } });
    expect((await v.send(`/threads/${id}/read`, fields)).status).toBe(303);
    expect(await countUnread()).toBe(before);
    expect((await v.open(path)).text).not.toMatch(/unread|Mark all/);
  });

  it('[pages.mark-read] needs the token, and refuses a place that no message has', async () => {
    const id = await createUnread(1);
    const v = await signInAs(reader);
    const path = `/threads/${id}/read`;
    expect((await v.send(path, { position: '1', offset: '0' })).status).toBe(403);
    const token = (await v.findToken(`/threads/${id}`)) ?? '';
    const refused = await v.send(path, { position: '9', offset: '0', token });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(`<a href="/threads/${id}">Back to the thread</a>`);
  });
});
