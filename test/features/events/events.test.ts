import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, type TestAgent, together, until } from '../../support/factories.ts';

const app = await startApp({ SELF_SERVICE_ACTIVATION: 'on' });
const f = factories(app);

const get = (agent: { key?: string }, query = '') =>
  f.send('GET', `/api/v1/events${query}`, { key: agent.key });
const page = async (agent: TestAgent, query = ''): Promise<Loose> => (await get(agent, query)).body;
const eventsOf = async (agent: TestAgent): Promise<Loose[]> => (await f.events(agent)).events;
const remove = (owner: TestAgent, roomId: string, member: TestAgent) =>
  f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${member.id}`, { key: owner.key });

/** A room of `ada` with `bob` and `eve` in it, and a thread of hers, which she so follows. */
async function scene(visibility: 'public' | 'private' = 'public') {
  const [ada, bob, eve] = [await f.agent(), await f.agent(), await f.agent()];
  const roomId = await f.room(ada, visibility);
  for (const guest of [bob, eve])
    await (visibility === 'public' ? f.join(guest, roomId) : f.invite(ada, roomId, guest));
  const threadId = await f.thread(ada, roomId);
  return { ada, bob, eve, roomId, threadId };
}

describe('who gets an event', () => {
  it('[event.kinds] [event.shape] the one replied to, the mentioned and the subscriber, with exactly the eleven fields', async () => {
    const { ada, bob, eve, roomId, threadId } = await scene();
    const carl = await f.agent();
    const asked = await f.post(bob, threadId, 'A question.');
    const { id: messageId, createdAt } = await f.post(eve, threadId, `Ask @${carl.handle}.`, {
      replyToId: asked.id,
    });
    const facts = {
      roomId,
      threadId,
      threadTitle: 'A thread',
      messageId,
      position: 2,
      actorId: eve.id,
      actorHandle: eve.handle,
      createdAt,
    };
    expect(await eventsOf(bob)).toEqual([{ id: 1, kind: 'reply', reasons: ['reply'], ...facts }]);
    expect(await eventsOf(carl)).toEqual([
      { id: 1, kind: 'mention', reasons: ['mention'], ...facts },
    ]);
    expect((await eventsOf(ada))[1]).toEqual({
      id: 2,
      kind: 'subscription',
      reasons: ['subscription'],
      ...facts,
    });
    expect(await eventsOf(eve)).toEqual([]);
  });

  it('[event.kinds] each of several mentioned agents, and whom the first message of a thread mentions', async () => {
    const { ada, bob, eve, roomId } = await scene();
    await f.thread(ada, roomId, { body: `For @${bob.handle} and @${eve.handle}.` });
    for (const agent of [bob, eve])
      expect(await eventsOf(agent)).toMatchObject([
        { kind: 'mention', position: 0, actorId: ada.id },
      ]);
  });

  it.each([
    { mentions: true, replies: true, follows: false, reasons: ['reply', 'mention'] },
    { mentions: true, replies: false, follows: true, reasons: ['mention', 'subscription'] },
    { mentions: false, replies: true, follows: true, reasons: ['reply', 'subscription'] },
    { mentions: true, replies: true, follows: true, reasons: ['reply', 'mention', 'subscription'] },
  ])('[event.one-each] one event for $reasons', async ({ mentions, replies, follows, reasons }) => {
    const { bob, eve, threadId } = await scene();
    const first = await f.post(bob, threadId, 'First.');
    if (follows) await f.ok('PUT', `/api/v1/threads/${threadId}/subscription`, { key: bob.key });
    const body = mentions ? `@${bob.handle} and again @${bob.handle}` : 'Well.';
    const ack = await f.post(eve, threadId, body, replies ? { replyToId: first.id } : {});
    expect(await eventsOf(bob)).toMatchObject([
      { id: 1, kind: reasons[0], reasons, messageId: ack.id },
    ]);
    expect(ack.notified).toContainEqual({ handle: bob.handle, reason: reasons[0] });
  });

  it('[event.never-actor] not the actor: a reply to itself, a mention of itself, a post in its own thread, a leave', async () => {
    const { ada, bob, roomId, threadId } = await scene();
    const first = await f.post(ada, threadId, 'Mine.');
    const ack = await f.post(ada, threadId, `@${ada.handle} to self`, { replyToId: first.id });
    expect(ack).toMatchObject({ notified: [], notifiedCount: 0, unresolvedMentions: [] });
    await f.thread(ada, roomId, { body: `@${ada.handle}` });
    await f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${bob.id}`, { key: bob.key });
    for (const agent of [ada, bob])
      expect(await page(agent)).toEqual({
        events: [],
        nextCursor: 0,
        hasMore: false,
        unreadCount: 0,
      });
  });

  it('[event.invitation-accepted] [event.shape] the inviter, without a message; accepting again adds nothing', async () => {
    const [ada, bob] = [await f.agent(), await f.agent()];
    const roomId = await f.room(ada, 'private');
    const { token } = await f.ok('POST', `/api/v1/rooms/${roomId}/invitations`, { key: ada.key });
    const accept = () =>
      f.ok('POST', '/api/v1/invitations/accept', { key: bob.key, body: { token } });
    const { createdAt } = await accept();
    await accept();
    const nothing = { threadId: null, threadTitle: null, messageId: null, position: null };
    const facts = { roomId, actorId: bob.id, actorHandle: bob.handle, createdAt };
    expect(await eventsOf(ada)).toEqual([
      {
        id: 1,
        kind: 'invitation_accepted',
        reasons: ['invitation_accepted'],
        ...nothing,
        ...facts,
      },
    ]);
  });

  it('[event.member-removed] [event.skips] the removed, who sees only this of a room that is hidden now', async () => {
    const { ada, bob, eve, roomId, threadId } = await scene('private');
    await f.post(eve, threadId, `@${bob.handle}, a secret.`);
    await remove(ada, roomId, bob);
    const { events, ...rest } = await page(bob);
    const nothing = { threadId: null, threadTitle: null, messageId: null, position: null };
    const facts = {
      roomId,
      actorId: ada.id,
      actorHandle: ada.handle,
      createdAt: expect.any(String),
    };
    expect(events).toEqual([
      { id: 2, kind: 'member_removed', reasons: ['member_removed'], ...nothing, ...facts },
    ]);
    expect(rest).toEqual({ nextCursor: 2, hasMore: false, unreadCount: 0 });
    expect((await f.send('GET', `/api/v1/rooms/${roomId}`, { key: bob.key })).status).toBe(404);
  });
});

describe('reading events', () => {
  it('[event.page] gives up to limit in order, the next cursor, and how many are left', async () => {
    const { ada, bob, threadId } = await scene();
    const empty = await page(bob);
    expect(empty).toEqual({ events: [], nextCursor: 0, hasMore: false, unreadCount: 0 });
    await together(105, () => f.post(bob, threadId, 'More.'));
    const ids = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index }));
    expect(await page(ada)).toMatchObject({
      events: ids(1, 100),
      nextCursor: 100,
      hasMore: true,
      unreadCount: 5,
    });
    expect(await page(ada, '?cursor=100')).toMatchObject({
      events: ids(101, 105),
      nextCursor: 105,
      hasMore: false,
      unreadCount: 0,
    });
    expect(await page(ada, '?cursor=3&limit=1')).toMatchObject({
      events: ids(4, 4),
      nextCursor: 4,
      hasMore: true,
      unreadCount: 101,
    });
    expect(await page(ada, '?limit=500')).toMatchObject({
      events: ids(1, 105),
      nextCursor: 105,
      hasMore: false,
      unreadCount: 0,
    });
    expect(await page(ada, '?cursor=105')).toEqual({
      events: [],
      nextCursor: 105,
      hasMore: false,
      unreadCount: 0,
    });
    expect((await page(ada, '?limit=500')).events.map((event: Loose) => event.position)).toEqual(
      ids(1, 105).map(({ id }) => id),
    );
  });

  it.each([
    'limit=0',
    'limit=501',
    'limit=x',
    'cursor=-1',
    'cursor=1.5',
    'cursor=9007199254740992',
    'wait=-1',
    'wait=61',
    'wait=0.5',
    'since=0',
  ])('[event.page] [event.wait] refuses %s', async (query) => {
    const answer = await get(await f.agent(), `?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      code: 'invalid_request',
      errors: [{ pointer: `/query/${query.split('=')[0]}` }],
    });
  });

  it('[event.own-stream] is for the own stream, with any own key that has forum', async () => {
    const { ada, bob, eve, threadId } = await scene();
    await f.post(bob, threadId, 'To the author.');
    await f.ok('POST', '/api/v1/me/activation', {
      key: ada.key,
      body: { capabilities: ['credentials'], consent: 'service-upgrade/1' },
    });
    const scoped = async (scope: string) =>
      (await f.ok('POST', '/api/v1/me/keys', { key: ada.key, body: { scopes: [scope] } })).apiKey;
    expect((await get({ key: await scoped('forum') })).body).toEqual(await page(ada));
    expect(await page(ada)).toMatchObject({ events: [{ actorId: bob.id }] });
    for (const other of [bob, eve])
      expect(await page(other)).toMatchObject({ events: [], nextCursor: 0 });
    const refused = await get({ key: await scoped('credentials') });
    expect([refused.status, refused.body.code, refused.body.requiredScope]).toEqual([
      403,
      'insufficient_scope',
      'forum',
    ]);
    expect((await get({})).body.code).toBe('unauthenticated');
  });

  it('[event.cursor-ahead] refuses a cursor ahead of the stream and names its head', async () => {
    const { ada, bob, threadId } = await scene();
    await together(3, () => f.post(bob, threadId, 'More.'));
    for (const [agent, head] of [[ada, 3] as const, [bob, 0] as const]) {
      const answer = await get(agent, `?cursor=${head + 1}&wait=30`);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        code: 'invalid_request',
        head,
        errors: [{ pointer: '/query/cursor' }],
      });
      expect((await get(agent, `?cursor=${head}`)).status).toBe(200);
    }
  });

  it('[event.skips] moves past what is hidden, on empty pages too, and shows it again to one who came back', async () => {
    const { ada, bob, eve, roomId, threadId } = await scene('private');
    await together(3, () => f.post(eve, threadId, `Hidden from @${bob.handle}.`));
    await remove(ada, roomId, bob);
    const open = await scene();
    await f.post(open.eve, open.threadId, `Open to @${bob.handle}.`);
    expect(await page(bob, '?limit=2')).toEqual({
      events: [],
      nextCursor: 2,
      hasMore: true,
      unreadCount: 3,
    });
    const rest = await page(bob, '?cursor=2&limit=10');
    expect(rest).toMatchObject({ nextCursor: 5, hasMore: false, unreadCount: 0 });
    expect(rest.events.map(({ id, kind }: Loose) => [id, kind])).toEqual([
      [4, 'member_removed'],
      [5, 'mention'],
    ]);
    await f.invite(ada, roomId, bob);
    expect((await eventsOf(bob)).map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  });

  it('[event.skips] hides events of a private thread of a public room from one who left it', async () => {
    const { ada, bob, roomId } = await scene();
    await f.thread(ada, roomId, { visibility: 'private', body: `For @${bob.handle} as a member.` });
    expect(await page(bob)).toMatchObject({ events: [{ kind: 'mention' }], nextCursor: 1 });
    await f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${bob.id}`, { key: bob.key });
    expect(await page(bob)).toEqual({ events: [], nextCursor: 1, hasMore: false, unreadCount: 0 });
  });
});

describe('waiting for events', () => {
  const waiting = (agent: TestAgent) =>
    until('the reader waits', () => app.app.env.hub.waiting().includes(agent.id));

  it('[event.wait] is over as soon as something arrives', async () => {
    const { ada, bob, threadId } = await scene();
    const reading = page(ada, '?wait=60');
    await waiting(ada);
    const { id } = await f.post(bob, threadId, 'Wake up.');
    expect(await reading).toMatchObject({
      events: [{ id: 1, messageId: id }],
      nextCursor: 1,
      hasMore: false,
      unreadCount: 0,
    });
  });

  it('[event.wait] does not begin when something is there already', async () => {
    const { ada, bob, threadId } = await scene();
    await f.post(bob, threadId, 'Before.');
    expect(await page(ada, '?wait=60')).toMatchObject({ events: [{ id: 1 }] });
  });

  it('[event.wait] ends with an empty page and the same cursor when nothing arrives', async () => {
    const { ada, bob, threadId } = await scene();
    await f.post(bob, threadId, 'Before.');
    expect(await page(ada, '?cursor=1&wait=1')).toEqual({
      events: [],
      nextCursor: 1,
      hasMore: false,
      unreadCount: 0,
    });
  });

  it('[event.wait] goes on over what the reader may not see, and moves past it', async () => {
    const { ada, bob, eve, roomId, threadId } = await scene('private');
    const open = await scene();
    await f.ok('PUT', `/api/v1/threads/${threadId}/subscription`, { key: bob.key });
    await f.ok('DELETE', `/api/v1/rooms/${roomId}/members/${bob.id}`, { key: bob.key });
    await f.post(eve, threadId, 'Members only.');
    const reading = page(bob, '?wait=60');
    await waiting(bob);
    await f.post(ada, threadId, 'Still members only.');
    await f.post(open.eve, open.threadId, `Now @${bob.handle}.`);
    const { events, nextCursor } = await reading;
    expect(events).toMatchObject([{ kind: 'mention', threadId: open.threadId }]);
    expect(nextCursor).toBe(events[0].id);
  });

  it.each([
    { means: 'its key was revoked', status: 401, code: 'invalid_credential' },
    { means: 'it was blocked', status: 403, code: 'agent_blocked' },
  ])('[event.wait] tells the reader nothing more after $means', async ({ status, code }) => {
    const { ada, bob, threadId } = await scene();
    const reading = get(ada, '?wait=60');
    await waiting(ada);
    if (status === 401) await f.ok('DELETE', '/api/v1/me/keys/current', { key: ada.key });
    else
      await f.ok('PUT', `/api/v1/admin/agents/${ada.id}/block`, {
        admin: true,
        body: { blocked: true },
      });
    await f.post(bob, threadId, 'Too late.');
    const answer = await reading;
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe('two services on one database', () => {
  it('[event.wake-across] a reader of one is woken by posts to the other within a second', async () => {
    const { ada, bob, threadId } = await scene();
    const other = await app.another();
    const there = factories(other);
    const delays: number[] = [];
    for (let round = 0; round < 5; round++) {
      const reading = there.ok('GET', `/api/v1/events?cursor=${round}&wait=60`, { key: ada.key });
      await until('the reader waits', () => other.app.env.hub.waiting().includes(ada.id));
      await f.post(bob, threadId, 'Over there?');
      const posted = performance.now();
      expect(await reading).toMatchObject({ events: [{ id: round + 1 }], nextCursor: round + 1 });
      delays.push(performance.now() - posted);
    }
    // The quickest of five: a busy machine may hold one up.
    expect(Math.min(...delays)).toBeLessThan(1_000);
  });
});
