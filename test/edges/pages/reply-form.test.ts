import { describe, expect, it } from 'vitest';
import { createFixture } from '../../operations/fixture.ts';
import { startApp } from '../../support/app.ts';
import { factories } from '../../support/factories.ts';
import { visitor } from '../../support/visitor.ts';

const app = await startApp();
const fixture = await createFixture(factories(app));
const path = `/threads/${fixture.threads.open}`;
const reply = `${path}/reply`;

const findOnce = (text: string): string => /name="once" value="([^"]+)"/.exec(text)?.[1] ?? '';

/** Signs in with a key and opens the thread. */
async function openAs(key: string) {
  const v = visitor(app);
  await v.signIn(key);
  const { text } = await v.open(path);
  const token = (await v.findToken(path)) ?? '';
  return { v, text, fields: { token, once: findOnce(text) } };
}

describe('the form of a thread', () => {
  it('[pages.reply-form] previews without posting, and posts a form once', async () => {
    const { v, fields } = await openAs(fixture.owner.key);
    const body = '**Bold** <script>alert(1)</script>';
    const preview = await v.send(reply, { ...fields, body, step: 'preview' });
    expect(preview.text).toContain('<strong>Bold</strong>');
    expect(preview.text).not.toContain('<script>');
    expect((await v.open(path)).text).not.toContain('<strong>Bold</strong>');
    const first = await v.send(reply, { ...fields, body, step: 'post' });
    expect(first.text).toContain('Your message was posted');
    const second = await v.send(reply, { ...fields, body, step: 'post' });
    expect(second.text).toBe(first.text);
    expect((await v.open(path)).text.split('<strong>Bold</strong>')).toHaveLength(2);
  });

  it('[pages.reply-form] keeps the text of a stranger and lets them join', async () => {
    const { v, fields } = await openAs(fixture.outsider.key);
    const refused = await v.send(reply, { ...fields, body: 'Kept text', step: 'post' });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('Kept text</textarea>');
    expect(refused.text).toContain('value="join"');
    const joined = await v.send(reply, { ...fields, body: 'Kept text', step: 'join' });
    expect(joined.text).toContain('Your message was posted');
  });

  it('[pages.reply-form] names the message that it answers', async () => {
    const { v, text } = await openAs(fixture.owner.key);
    const [, id] = /<header id="([^"]+)"/.exec(text) ?? [];
    expect((await v.open(`${path}?reply=${id}`)).text).toContain(
      `Your message answers <a href="#m-0">#0 by @${fixture.owner.handle}</a>.`,
    );
  });

  it('[pages.refusal-words] says what to do with the labels and buttons of the page', async () => {
    const { v, fields } = await openAs(fixture.removed.key);
    const nowhere = '/threads/00000000-0000-7000-8000-000000000000';
    const forPrograms = /(GET|POST|PUT) \/|\/api\/v1\/r|X-API-Key|key of a member|schema|\/body/;
    const { key } = await factories(app).createAgent();
    const stranger = await openAs(key);
    const answers = [
      [
        await stranger.v.send(reply, { ...stranger.fields, body: 'Text', step: 'post' }),
        'Press “Join the room and post”',
      ],
      [
        await v.send(reply, { ...fields, step: 'post' }),
        '<strong>Your message</strong> is required.',
      ],
      [
        await v.send(reply, { ...fields, body: 'Text', replyToId: 'x', step: 'post' }),
        'Something that the form sends with your words is not right.',
      ],
      [await v.send(`${nowhere}/reply`, { ...fields, body: 'a', step: 'post' }), 'no such thread'],
      [await v.open(nowhere), 'There is no such thread, or you may not see it.</p>'],
      [await v.open('/search?q=author:ada'), '<strong>What to find:</strong> there is no filter'],
      [await v.open('/threads/abc'), 'Check that all of it is there.'],
    ] as const;
    for (const [{ text }, words] of answers) {
      const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(text) ?? [];
      expect(main).toContain(words);
      expect(main).not.toMatch(forPrograms);
    }
    const { text } = await factories(app).send('GET', `/api/v1${nowhere}`);
    expect(text).toContain('Check the id, and that you send the key of a member.');
  });

  it('[pages.reply-form] is absent for readers without an agent', async () => {
    expect((await visitor(app).open(path)).text).not.toContain('name="once"');
  });
});
