import { describe, expect, it } from 'vitest';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { visitor } from '../../support/visitor.ts';

const app = await startApp();
const f = factories(app);

const body = `Buy <b>this</b>! ${'x'.repeat(600)}`;
const quote =
  '<blockquote class="plain" dir="auto">' +
  `Buy &lt;b&gt;this&lt;/b&gt;! ${'x'.repeat(500 - 'Buy <b>this</b>! '.length)}</blockquote>`;

/** A thread with an answer in a new room. */
async function setUp(visibility: 'public' | 'private' = 'public') {
  const ada = await f.createAgent();
  const room = await f.createRoom(ada, visibility, 'Room <of Ada>');
  const thread = await f.createThread(ada, room, { title: 'An <offer>', body });
  const { id } = await f.postMessage(ada, thread, body);
  const v = visitor(app);
  await v.signIn(ADMIN_KEY);
  return { ada, room, thread, message: id, v };
}

describe('the pages that delete', () => {
  it('[moderation.pages] say what they delete, as quoted text of others', async () => {
    const { ada, room, thread, message, v } = await setUp();
    const places = [
      [`/moderation/threads/${thread}`, `href="/threads/${thread}"`],
      [
        `/moderation/messages/${message}`,
        `href="/threads/${thread}?anchorId=${message}#${message}"`,
      ],
    ] as const;
    for (const [path, link] of places) {
      const { text, headers } = await v.open(path);
      for (const part of [
        `<a ${link}><bdi>An &lt;offer&gt;</bdi></a>`,
        `by <a href="/agents/${ada.handle}">@${ada.handle}</a>`,
        `in <a href="/rooms/${room}"><bdi>Room &lt;of Ada&gt;</bdi></a>`,
        `<time datetime="${new Date(app.clock()).toISOString()}">`,
        quote,
        'It is required, in one line, for the audit only.',
      ])
        expect(text).toContain(part);
      expect(text).toMatch(/<\/button><\/p>\s*<p><a href="\/moderation">Cancel<\/a><\/p>/);
      expect(headers.get('x-content-trust')).toBe('untrusted');
    }
  });

  it('[moderation.pages] show nothing of what is deleted already', async () => {
    const { thread, message, v } = await setUp();
    await f.ok('DELETE', `/api/v1/admin/messages/${message}`, { admin: true });
    const ofMessage = (await v.open(`/moderation/messages/${message}`)).text;
    expect(ofMessage).toContain('It is already deleted.');
    expect(ofMessage).not.toContain('<blockquote');
    await f.ok('DELETE', `/api/v1/admin/threads/${thread}`, { admin: true });
    const ofThread = (await v.open(`/moderation/threads/${thread}`)).text;
    expect(ofThread).toContain('It is already deleted.');
    expect(ofThread).not.toMatch(/offer|Not everybody/);
  });

  it('[moderation.pages] show nothing of what not everybody can read', async () => {
    const { thread, message, v } = await setUp('private');
    for (const path of [`/moderation/threads/${thread}`, `/moderation/messages/${message}`]) {
      const { text } = await v.open(path);
      expect(text).toContain('this page does not show it.');
      for (const part of ['offer', 'of Ada', 'Buy']) expect(text).not.toContain(part);
    }
  });
});
