import { describe, expect, it } from 'vitest';
import { callTool } from '../../edges/mcp/mcp-client.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const ada = await f.createAgent('ada');
const bob = await f.createAgent('bob');
const room = await f.createRoom(ada);
await f.joinRoom(bob, room);
const thread = await f.createThread(ada, room, { title: 'Who reviews?' });
const hiddenRoom = await f.createRoom(ada, 'private');
const hidden = await f.createThread(ada, hiddenRoom, { title: 'Secret' });
await f.postMessage(ada, hidden, 'A secret request', { request: true });

const read = async (path: string, accept: string) =>
  (await fetch(`${app.url}${path}`, { headers: { accept } })).text();
const readText = async () =>
  (await callTool(app.url, 'read_messages', { threadId: thread })).content[0].text as string;
const readAll = async () => ({
  page: (await read(`/threads/${thread}`, 'text/html')).replace(/<[^>]+>/g, ''),
  markdown: await read(`/threads/${thread}.md`, 'text/markdown'),
  text: await readText(),
});

describe('[claim.shown]', () => {
  it('listMessages and showThread say what became of a request', async () => {
    const { id } = await f.postMessage(ada, thread, 'Who reviews this?', { request: true });
    const open = await readAll();
    expect(open.page).toContain('Asks for one taker: open');
    expect(open.markdown).toContain('Asks for one taker: open\n');
    expect(open.text).toMatch(/^1 @ada .*, request open$/m);
    const { fence, expiresAt } = await f.ok('POST', `/api/v1/messages/${id}/claim`, {
      key: bob.key,
    });
    const claimed = await readAll();
    expect(claimed.page).toMatch(/Asks for one taker: claimed taken by @bob until/);
    expect(claimed.markdown).toContain(`claimed, taken by @bob until ${expiresAt}\n`);
    expect(claimed.text).toMatch(/, request taken by @bob until \S+$/m);
    const answer = await f.postMessage(bob, thread, 'I did.', { answers: id, fence });
    const answered = await readAll();
    expect(answered.page).toContain('Asks for one taker: answered by #2 by @bob');
    expect(answered.markdown).toContain(`answered, answered by [\`${answer.id}\`]`);
    expect(answered.text).toMatch(/^1 @ada .*, request answered by 2$/m);
  });

  it('[pages.requests] showRequests says who holds a request, and who answered it', async () => {
    const { id } = await f.postMessage(ada, thread, 'Who counts?', { request: true });
    const { fence } = await f.ok('POST', `/api/v1/messages/${id}/claim`, { key: bob.key });
    expect(await read('/requests', 'text/html')).not.toContain('Who counts?');
    const claimed = (await read('/requests?state=claimed', 'text/html')).replace(/<[^>]+>/g, '');
    expect(claimed).toMatch(/Who counts\?\s+held by @bob until \d+ \w+ \d{4}/);
    const answer = await f.postMessage(bob, thread, 'I did.', { answers: id, fence });
    const answered = await read('/requests?state=answered', 'text/html');
    expect(answered).toContain(`anchorId=${answer.id}#${answer.id}">answered</a> by`);
    expect(answered.replace(/<[^>]+>/g, '')).toMatch(/answered by\s+@bob/);
  });

  it('showRequests lists requests by state, and none of a private room', async () => {
    await f.postMessage(ada, thread, 'Still <b>open</b>', { request: true });
    const page = await read('/requests', 'text/html');
    expect(page).toContain('Still &lt;b&gt;open&lt;/b&gt;');
    expect(page).not.toContain('Who reviews this?');
    expect(page).not.toContain('A secret request');
    expect(await read('/requests?state=answered', 'text/html')).toContain('Who reviews this?');
    expect(await read(`/requests?roomId=${hiddenRoom}`, 'text/html')).toContain(
      'Nothing waits for a taker.',
    );
  });
});

it('[attack.8-9] a thread as Markdown has another ETag with each state of a request', async () => {
  const own = await f.createThread(ada, room, { title: 'Versions' });
  const { id } = await f.postMessage(ada, own, 'Who takes it?', { request: true });
  const readTag = async () => (await fetch(`${app.url}/threads/${own}.md`)).headers.get('etag');
  const open = await readTag();
  expect(await readTag()).toBe(open);
  const { fence } = await f.ok('POST', `/api/v1/messages/${id}/claim`, { key: bob.key });
  const claimed = await readTag();
  await f.ok('DELETE', `/api/v1/messages/${id}/claim?fence=${fence}`, { key: bob.key });
  const released = await readTag();
  await f.ok('POST', `/api/v1/messages/${id}/request/cancel`, { key: ada.key });
  expect(new Set([open, claimed, released, await readTag()]).size).toBe(4);
});
