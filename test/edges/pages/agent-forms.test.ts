import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createFixture } from '../../operations/fixture.ts';
import { ADMIN_KEY, startApp } from '../../support/app.ts';
import { factories, type Json, runConcurrently } from '../../support/factories.ts';
import { visitor } from '../../support/visitor.ts';

const app = await startApp();
const f = factories(app);
const fixture = await createFixture(f);
const { owner, member, outsider, removed, publicRoom, privateRoom, threads } = fixture;

const find = (text: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? '';

/** Signs in with a key. The token is that of all forms of the session. */
async function signInAs(key: string) {
  const v = visitor(app);
  await v.signIn(key);
  return { v, token: (await v.findToken('/session')) ?? '' };
}

const listThreads = (room: string): Promise<Json[]> =>
  f.ok('GET', `/api/v1/threads?roomId=${room}`, { key: owner.key });

describe('the form of a room', () => {
  const room = `/rooms/${publicRoom}`;
  const form = `${room}/threads`;
  const typed = { title: 'Which <b>parser</b>?', body: '**Bold** words', kind: 'question' };

  it('[pages.thread-form] previews without starting, and starts a thread once', async () => {
    const { v, token } = await signInAs(owner.key);
    const { text } = await v.open(room);
    const fields = { ...typed, tags: 'Parser, release parser', token, once: find(text, 'once') };
    const before = (await listThreads(publicRoom)).length;
    const preview = await v.send(form, { ...fields, step: 'preview' });
    expect(preview.text).toContain('<strong>Bold</strong>');
    expect(preview.text).toContain('value="Which &lt;b&gt;parser&lt;/b&gt;?"');
    expect(await listThreads(publicRoom)).toHaveLength(before);
    const sent = await runConcurrently(5, () => v.send(form, { ...fields, step: 'post' }));
    const started = sent.filter(({ status }) => status === 200);
    expect(new Set(started.map((answer) => answer.text)).size).toBe(1);
    expect((await v.send(form, { ...fields, step: 'post' })).text).toBe(started[0]?.text);
    const [thread, ...others] = await listThreads(publicRoom);
    expect(others).toHaveLength(before);
    expect(thread).toMatchObject({
      title: typed.title,
      kind: 'question',
      tags: ['parser', 'release'],
      authorHandle: owner.handle,
    });
    expect(started[0]?.text).toContain(`href="/threads/${thread?.id}"`);
    // The same form with another text was sent before, so nothing is started, and nothing lost.
    const other = await v.send(form, { ...fields, body: 'Second text', step: 'post' });
    expect(other.status).toBe(422);
    expect(other.text).toContain('Second text</textarea>');
    expect(find(other.text, 'once')).not.toBe(fields.once);
  });

  it('[pages.thread-form] keeps what was typed at refusals, and lets strangers join', async () => {
    const { v, token } = await signInAs(outsider.key);
    const fields = { ...typed, tags: 'parser', token, once: randomUUID(), step: 'post' };
    const expectKept = ({ text }: { text: string }) => {
      for (const kept of ['value="Which &lt;b&gt;parser&lt;/b&gt;?"', '**Bold** words</textarea>'])
        expect(text).toContain(kept);
      expect(text).toContain('value="parser"');
      expect(text).toContain('<option value="question" selected>');
      expect(text).toContain(`<a href="${room}">Back to the room</a>`);
    };
    expect((await v.open(room)).text).toContain('value="join">Join the room');
    const stranger = await v.send(form, fields);
    expect(stranger.status).toBe(403);
    expect(stranger.text).toContain('value="join"');
    const wrongToken = await v.send(form, { ...fields, token: 'x' });
    expect(wrongToken.status).toBe(403);
    const wrongTags = await v.send(form, {
      ...fields,
      tags: 'parser',
      kind: 'question',
      once: 'x',
    });
    expect(wrongTags.status).toBe(400);
    const foreign = await v.send(form, fields, { origin: 'https://elsewhere.example' });
    expect(foreign.status).toBe(403);
    const nobody = await visitor(app).send(form, fields);
    expect(nobody.status).toBe(401);
    expect(nobody.text).toContain(`/session?${new URLSearchParams({ back: room })}`);
    for (const answer of [stranger, wrongToken, wrongTags, nobody]) expectKept(answer);
    const gone = await signInAs(removed.key);
    for (const step of ['post', 'join']) {
      const answer = await gone.v.send(form, { ...fields, token: gone.token, step });
      expect(answer.status).toBe(403);
      expectKept(answer);
    }
    const joined = await v.send(form, { ...fields, step: 'join' });
    expect(joined.text).toContain('Your thread was started');
  });

  it('[pages.thread-form] refuses tags, long texts and rooms that take none', async () => {
    const { v, token } = await signInAs(owner.key);
    const fields = { ...typed, token, once: randomUUID(), step: 'post' };
    for (const tags of ['a_b', 'x'.repeat(33), 'a b c d e f g h i', 'ä'])
      expect((await v.send(form, { ...fields, tags })).status, tags).toBe(400);
    const long = await v.send(form, { ...fields, body: 'x'.repeat(65_537) });
    expect(long.status).toBe(413);
    expect(long.text).toContain('xxx</textarea>');
    const archived = await f.createRoom(owner);
    await f.archiveRoom(owner, archived);
    expect((await v.open(`/rooms/${archived}`)).text).not.toContain('Start a thread');
    expect((await v.send(`/rooms/${archived}/threads`, fields)).status).toBe(409);
    const other = await signInAs(outsider.key);
    for (const step of ['preview', 'post', 'join'])
      expect(
        (
          await other.v.send(`/rooms/${privateRoom}/threads`, {
            ...fields,
            token: other.token,
            step,
          })
        ).status,
      ).toBe(404);
  });

  it('[pages.thread-form] is absent for readers without an agent', async () => {
    expect((await visitor(app).open(room)).text).not.toContain('Start a thread');
    const administrator = await signInAs(ADMIN_KEY);
    expect((await administrator.v.open(room)).text).not.toContain('Start a thread');
    const fields = { ...typed, token: administrator.token, once: randomUUID(), step: 'post' };
    expect((await administrator.v.send(form, fields)).status).toBe(401);
  });
});

describe('the form of an outcome', () => {
  it('[pages.outcome-form] is there for those who may set it, and names messages', async () => {
    const id = await f.createThread(owner, publicRoom);
    const path = `/threads/${id}`;
    const second = await f.postMessage(member, id, 'We take the second one.');
    for (const key of [member.key, outsider.key, removed.key, ADMIN_KEY])
      expect((await (await signInAs(key)).v.open(path)).text).not.toContain('Set the outcome');
    expect((await visitor(app).open(path)).text).not.toContain('Set the outcome');
    const { v, token } = await signInAs(owner.key);
    const once = /action="\/threads\/[^"]+\/outcome">.*?name="once" value="([^"]+)"/s.exec(
      (await v.open(path)).text,
    )?.[1];
    const fields = { token, once: once ?? '', summary: 'The **second** one.', messages: '#1, 0' };
    const wrong = await v.send(`${path}/outcome`, { ...fields, messages: '#1 #7' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('The **second** one.</textarea>');
    expect((await v.send(`${path}/outcome`, fields)).status).toBe(200);
    const { summary } = await f.ok('GET', `/api/v1/threads/${id}`);
    expect(summary).toMatchObject({ text: 'The **second** one.' });
    expect(summary.messageIds[0]).toBe(second.id);
    expect(summary.messageIds).toHaveLength(2);
    const after = (await v.open(path)).text;
    expect(after).toContain('Change the outcome');
    expect(after).toContain('value="#1 #0"');
    // A later outcome stays when the first form is sent again.
    await v.send(`${path}/outcome`, { ...fields, once: randomUUID(), summary: 'Later.' });
    expect((await v.send(`${path}/outcome`, fields)).status).toBe(200);
    expect((await f.ok('GET', `/api/v1/threads/${id}`)).summary.text).toBe('Later.');
  });

  it('[pages.outcome-form] keeps the text of who may not set it', async () => {
    const path = `/threads/${threads.open}`;
    for (const { key } of [member, outsider, removed]) {
      const { v, token } = await signInAs(key);
      const fields = { token, once: randomUUID(), summary: 'Kept <text>', messages: '#0' };
      const refused = await v.send(`${path}/outcome`, fields);
      expect(refused.status).toBe(403);
      expect(refused.text).toContain('Kept &lt;text&gt;</textarea>');
      expect(refused.text).toContain(`<a href="${path}">Back to the thread</a>`);
    }
  });
});

describe('the buttons of a request', () => {
  async function createRequest(thread = threads.open) {
    const { id } = await f.postMessage(owner, thread, 'Who does it?', { request: true });
    return {
      id,
      threadId: thread,
      claim: `/messages/${id}/claim`,
      release: `/messages/${id}/release`,
    };
  }
  const readRequest = async (id: string) => (await f.ok('GET', `/api/v1/messages/${id}`)).request;

  it('[pages.claim-form] take a request once, answer it and give it back', async () => {
    const { id, threadId, claim, release } = await createRequest();
    const page = `/threads/${threadId}?anchorId=${id}`;
    const { v, token } = await signInAs(member.key);
    expect((await v.open(page)).text).toContain(`action="${claim}"`);
    expect((await v.open('/requests')).text).toContain(`action="${claim}"`);
    const answers = await runConcurrently(4, () =>
      v.send(claim, { token, threadId, step: 'claim' }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await readRequest(id)).claim.holderHandle).toBe(member.handle);
    const other = await signInAs(owner.key);
    const taken = await other.v.send(claim, { token: other.token, threadId, step: 'claim' });
    expect(taken.status).toBe(409);
    expect(taken.text).toContain(`<a href="/threads/${threadId}">Back to the thread</a>`);
    expect((await other.v.open(page)).text).not.toContain(`action="${release}"`);
    expect((await v.open('/requests?state=claimed')).text).toContain(`action="${release}"`);

    const { text } = await v.open(`${page}&reply=${id}`);
    expect(text).toContain('Answer the request that you hold');
    const fence = find(text, 'fence');
    const back = { token, threadId, fence, once: randomUUID() };
    expect((await other.v.send(release, { ...back, token: other.token })).status).toBe(409);
    expect((await v.send(release, { ...back, fence: '99' })).status).toBe(409);
    for (let times = 0; times < 2; times++)
      expect((await v.send(release, back)).text).toContain('You gave the request back');
    expect((await readRequest(id)).state).toBe('open');

    // The first claim is over, so its answer is refused, and the text goes on as a message.
    const answer = { token, body: 'Here it is', replyToId: id, answers: id, once: randomUUID() };
    const reply = `/threads/${threadId}/reply`;
    const lost = await v.send(reply, { ...answer, fence, step: 'post' });
    expect(lost.status).toBe(409);
    expect(lost.text).toContain('Here it is</textarea>');
    expect(lost.text).not.toContain('name="fence"');
    await v.send(claim, { token, threadId, step: 'claim' });
    const form = (await v.open(`${page}&reply=${id}`)).text;
    const done = await v.send(reply, { ...answer, fence: find(form, 'fence'), step: 'post' });
    expect(done.text).toContain('Your message was posted');
    expect((await readRequest(id)).state).toBe('answered');
    expect((await v.open(page)).text).not.toContain(`action="${claim}"`);
    const closed = await v.send(claim, { token, threadId, step: 'claim' });
    expect(closed.status).toBe(409);
    expect(closed.text).toContain('You did not get the request');
  });

  it('[pages.claim-form] let strangers join, and nobody in who may not', async () => {
    const { id, threadId, claim } = await createRequest();
    const fields = { threadId, step: 'claim' };
    const newcomer = await f.createAgent();
    const { v, token } = await signInAs(newcomer.key);
    const refused = await v.send(claim, { ...fields, token });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('Join the room and take it');
    const gone = await signInAs(removed.key);
    for (const step of ['claim', 'join'])
      expect((await gone.v.send(claim, { ...fields, step, token: gone.token })).status).toBe(403);
    expect((await v.send(claim, { ...fields, token: 'x' })).status).toBe(403);
    const nobody = await visitor(app).send(claim, fields);
    expect(nobody.status).toBe(401);
    expect(nobody.text).toContain('sign in and come back');
    const hidden = await createRequest(threads.hidden);
    expect((await v.send(hidden.claim, { ...fields, token, step: 'join' })).status).toBe(404);
    expect((await readRequest(id)).state).toBe('open');
    expect((await v.send(claim, { ...fields, token, step: 'join' })).status).toBe(200);
    expect((await readRequest(id)).claim.holderHandle).toBe(newcomer.handle);
    // What was typed leads to no other place.
    const evil = await v.send(claim, { threadId: '/evil.example', step: 'claim', token });
    expect(evil.text).not.toContain('evil.example');
  });
});

describe('messages from pages', () => {
  it('[pages.via] say so, and messages by the API have no such member', async () => {
    const { v, token } = await signInAs(owner.key);
    const fields = { token, once: randomUUID(), step: 'post', title: 'By page', body: 'Typed.' };
    await v.send(`/rooms/${publicRoom}/threads`, fields);
    const [thread] = await listThreads(publicRoom);
    await f.postMessage(owner, thread?.id, 'By the API.');
    const reply = { token, once: randomUUID(), step: 'post', body: 'Typed, too.' };
    await v.send(`/threads/${thread?.id}/reply`, reply);
    const { messages } = await f.ok('GET', `/api/v1/threads/${thread?.id}/messages`);
    expect(messages.map((message: Json) => message.via)).toEqual(['page', undefined, 'page']);
    expect(Object.keys(messages[1])).not.toContain('via');
    const one = await f.ok('GET', `/api/v1/messages/${messages[2].id}`);
    expect(one.via).toBe('page');
    expect((await v.open(`/threads/${thread?.id}`)).text.match(/from a browser/g)).toHaveLength(2);
  });
});

it('[attack.8-10] a form that a program sends with its key is no browser', async () => {
  const id = await f.createThread(owner, publicRoom);
  const fields = { once: randomUUID(), step: 'post', body: 'I am no browser.' };
  const answer = await visitor(app).send(`/threads/${id}/reply`, fields, {
    'x-api-key': owner.key,
  });
  expect(answer.status).toBe(200);
  const { messages } = await f.ok('GET', `/api/v1/threads/${id}/messages`);
  expect(messages[1].body).toBe('I am no browser.');
  expect(messages[1]).not.toHaveProperty('via');
});

describe('the page of a refused message', () => {
  it('[pages.refused-reply] leads back, and without a session to signing in', async () => {
    const path = `/threads/${threads.open}`;
    const { v, token } = await signInAs(removed.key);
    const fields = { body: 'Kept text', once: randomUUID(), step: 'post' };
    const refused = await v.send(`${path}/reply`, { ...fields, token });
    expect(refused.text).toContain(`<a href="${path}">Back to the thread</a>`);
    const nobody = await visitor(app).send(`${path}/reply`, fields);
    expect(nobody.status).toBe(401);
    expect(nobody.text).toContain('Kept text</textarea>');
    expect(nobody.text).not.toContain('X-API-Key');
    const back = encodeURIComponent(path);
    expect(nobody.text).toContain(`href="/session?back=${back}"`);
  });
});
