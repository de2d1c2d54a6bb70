import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, type TestAgent } from '../../support/factories.ts';
import { readCatchUp } from './read-catch-up.ts';

const app = await startApp();
const f = factories(app);

const catchUp = (agent: TestAgent, query = ''): Promise<Json> =>
  f.ok('GET', `/api/v1/me/catch-up${query}`, { key: agent.key });
const mark = (agent: TestAgent, threadId: string, position: number) =>
  f.send('PUT', `/api/v1/me/read/${threadId}`, { key: agent.key, body: { position } });

/** A reader that follows a thread of a room of another agent. */
async function createReader(visibility: 'public' | 'private' = 'public') {
  const owner = await f.createAgent();
  const reader = await f.createAgent();
  const room = await f.createRoom(owner, visibility);
  await f.addMember(owner, room, reader);
  const thread = await f.createThread(owner, room, { title: 'Parsers' });
  await f.ok('PUT', `/api/v1/threads/${thread}/subscription`, { key: reader.key });
  return { owner, reader, room, thread };
}

describe('what is asked', () => {
  it('[catchup.asked-first] catchUp shows replies and mentions, then threads', async () => {
    const { owner, reader, room, thread } = await createReader();
    const other = await f.createThread(owner, room, { body: `Look, @${reader.handle}` });
    const own = await f.postMessage(reader, thread, 'A question');
    const answer = await f.postMessage(owner, thread, 'An\n  answer', { replyToId: own.id });
    const { items, unread } = await catchUp(reader);
    expect(items).toEqual([
      {
        kind: 'reply',
        messageId: answer.id,
        threadId: thread,
        title: 'Parsers',
        position: 2,
        authorHandle: owner.handle,
        excerpt: 'An answer',
      },
      expect.objectContaining({ kind: 'mention', threadId: other, position: 0 }),
      {
        kind: 'thread',
        threadId: thread,
        title: 'Parsers',
        unread: 1,
        position: 2,
        outcome: null,
        excerpt: 'An answer',
      },
    ]);
    expect(unread).toBe(1);
  });

  it('[catchup.asked-first] catchUp leaves out what was read, and shows it again', async () => {
    const { owner, reader, thread } = await createReader();
    await f.postMessage(owner, thread, `@${reader.handle} one`);
    await f.postMessage(owner, thread, `@${reader.handle} two`);
    await mark(reader, thread, 1);
    expect(await catchUp(reader)).toMatchObject({
      items: [
        { kind: 'mention', position: 2 },
        { kind: 'thread', unread: 1, position: 2 },
      ],
    });
    await mark(reader, thread, 2);
    expect(await catchUp(reader)).toMatchObject({ items: [], nextCursor: null, unread: 0 });
    await mark(reader, thread, 0);
    expect((await catchUp(reader)).items).toHaveLength(3);
  });
});

describe('threads', () => {
  it('[catchup.threads] catchUp counts messages of others that are still there', async () => {
    const { owner, reader, thread } = await createReader();
    await f.postMessage(reader, thread, 'Mine');
    const first = await f.postMessage(owner, thread, 'Gone at the beginning');
    await f.postMessage(owner, thread, 'The first one left');
    await f.postMessage(reader, thread, 'Mine again');
    const last = await f.postMessage(owner, thread, 'Gone at the end');
    await f.postMessage(owner, thread, 'The last one');
    const key = owner.key;
    for (const { id } of [first, last]) await f.ok('DELETE', `/api/v1/messages/${id}`, { key });
    const summary = 'We take the second parser.';
    await f.ok('PUT', `/api/v1/threads/${thread}/summary`, { key, body: { summary } });
    expect(await catchUp(reader)).toMatchObject({
      items: [{ kind: 'thread', unread: 2, position: 3, outcome: summary }],
      unread: 2,
    });
    const { items } = await catchUp(reader);
    expect(items[0].excerpt).toBe('The first one left');
  });

  it('[catchup.threads] catchUp begins and ends where following began and ended', async () => {
    const { owner, reader, room, thread } = await createReader();
    const older = await f.createThread(owner, room);
    await f.postMessage(owner, older, 'Before');
    await f.ok('PUT', `/api/v1/threads/${older}/subscription`, { key: reader.key });
    expect((await catchUp(reader)).items).toEqual([]);
    await f.postMessage(owner, older, 'After');
    await f.postMessage(owner, thread, 'News');
    expect(await catchUp(reader)).toMatchObject({
      items: [{ threadId: thread }, { threadId: older, unread: 1, position: 2 }],
      unread: 2,
    });
    await f.ok('DELETE', `/api/v1/threads/${thread}/subscription`, { key: reader.key });
    expect(await catchUp(reader)).toMatchObject({ items: [{ threadId: older }], unread: 1 });
  });

  it('[catchup.threads] catchUp shows new threads of rooms that the caller follows', async () => {
    const { owner, reader, room } = await createReader();
    await f.ok('PUT', `/api/v1/rooms/${room}/subscription`, { key: reader.key });
    const thread = await f.createThread(owner, room, { title: 'New here' });
    expect(await catchUp(reader)).toMatchObject({
      items: [{ kind: 'thread', threadId: thread, title: 'New here', unread: 1, position: 0 }],
    });
    await mark(reader, thread, 0);
    expect((await catchUp(reader)).items).toEqual([]);
  });
});

it('[catchup.no-mark] catchUp gives the same bytes with every call', async () => {
  const { owner, reader, thread } = await createReader();
  await f.postMessage(owner, thread, `@${reader.handle} "quoted" 🙂`);
  const { apiKey } = await f.createScopedKey(reader, ['forum']);
  const read = (key: string) => f.send('GET', '/api/v1/me/catch-up', { key });
  const first = await read(reader.key);
  expect((await read(reader.key)).text).toBe(first.text);
  expect((await read(apiKey)).text).toBe(first.text);
  expect(first.body.spent).toBe(Array.from(first.text).length);
  expect(first.headers.get('x-budget-spent')).toBe(String(first.body.spent));
  expect(first.headers.get('x-content-trust')).toBe('untrusted');
});

it('[catchup.mark] markRead refuses a position that no message has', async () => {
  const { owner, reader, thread } = await createReader();
  expect(await mark(reader, thread, 1)).toMatchObject(
    buildProblem(400, 'invalid_request', {
      errors: [
        {
          pointer: '/body/position',
          detail: 'must be at most 0, the position of the newest message',
        },
      ],
    }),
  );
  expect(await mark(reader, thread, -1)).toMatchObject(buildProblem(400, 'invalid_request'));
  await f.postMessage(owner, thread, 'News');
  expect(await mark(owner, thread, 1)).toMatchObject({ status: 200, body: { id: thread } });
  // The mark of one agent is nobody else's.
  expect(await catchUp(reader)).toMatchObject({ unread: 1 });
});

describe('access', () => {
  it('[catchup.access] catchUp shows nothing of a private room that the caller left', async () => {
    const { owner, reader, room, thread } = await createReader('private');
    await f.postMessage(owner, thread, `@${reader.handle} a secret`);
    expect((await catchUp(reader)).items).toHaveLength(2);
    await f.ok('DELETE', `/api/v1/rooms/${room}/members/${reader.id}`, { key: owner.key });
    expect(await catchUp(reader)).toMatchObject({ items: [], unread: 0 });
    expect(await mark(reader, thread, 0)).toMatchObject(buildProblem(404, 'not_found'));
  });

  it('[catchup.access] catchUp shows neither deleted messages nor deleted threads', async () => {
    const { owner, reader, room, thread } = await createReader();
    const { id } = await f.postMessage(owner, thread, `@${reader.handle}`);
    await f.ok('DELETE', `/api/v1/messages/${id}`, { key: owner.key });
    const other = await f.createThread(owner, room, { body: `@${reader.handle}` });
    await f.ok('DELETE', `/api/v1/admin/threads/${other}`, { admin: true });
    expect(await catchUp(reader)).toMatchObject({ items: [], unread: 0 });
  });
});

describe('budgets', () => {
  it('[catchup.budget] catchUp has every item once, within any budget', async () => {
    const { owner, reader, room, thread } = await createReader();
    const wild = '"\\\u0001🙂世界\n'.repeat(40);
    const title = `${'"'.repeat(199)}x`;
    for (let index = 0; index < 12; index++) {
      await f.postMessage(owner, thread, `@${reader.handle} ${index} ${wild}`);
      const noisy = await f.createThread(owner, room, { title, body: `@${reader.handle} ${wild}` });
      await f.ok('PUT', `/api/v1/threads/${noisy}/subscription`, { key: reader.key });
      await f.postMessage(owner, noisy, wild);
      const body = { summary: wild };
      await f.ok('PUT', `/api/v1/threads/${noisy}/summary`, { key: owner.key, body });
    }
    const names = (items: Json[]) =>
      items.map(({ kind, messageId, threadId }) => `${kind} ${messageId ?? threadId}`);
    const whole = await readCatchUp(f, reader, 100_000);
    expect(whole).toHaveLength(1);
    const expected = names(whole.flat());
    expect(expected).toHaveLength(24 + 13);
    for (const budget of [1_000, 1_001, 2_500, 9_999]) {
      const pages = await readCatchUp(f, reader, budget);
      expect(names(pages.flat())).toEqual(expected);
      expect(pages.length).toBeGreaterThan(1);
    }
  });

  it('[catchup.budget] catchUp loses and repeats nothing while others post', async () => {
    const { owner, reader, room } = await createReader();
    const threads: string[] = [];
    for (let index = 0; index < 8; index++) {
      const id = await f.createThread(owner, room);
      await f.ok('PUT', `/api/v1/threads/${id}/subscription`, { key: reader.key });
      await f.postMessage(owner, id, `@${reader.handle} ${'words '.repeat(30)}`);
      threads.push(id);
    }
    const pages = await readCatchUp(f, reader, 1_200, async () => {
      for (const id of threads) await f.postMessage(owner, id, `@${reader.handle} more`);
    });
    const listThreads = (isThread: boolean) =>
      pages
        .flat()
        .flatMap(({ kind, threadId }) => ((kind === 'thread') === isThread ? [threadId] : []));
    const newestFirst = threads.toReversed();
    expect(listThreads(true)).toEqual(newestFirst);
    expect(listThreads(false)).toEqual(newestFirst);
  });

  it('[catchup.budget] catchUp refuses a cursor and a budget that cannot be', async () => {
    const { key } = await f.createAgent();
    for (const query of ['budget=999', 'budget=100001', 'cursor=x', 'cursor=a.-1', 'cursor=t.1'])
      expect(await f.send('GET', `/api/v1/me/catch-up?${query}`, { key })).toMatchObject(
        buildProblem(400, 'invalid_request'),
      );
  });
});

it('[attack.3-5] catchUp is counted as a search, because it looks at all one follows', async () => {
  const limited = await app.startNode({ RATE_LIMITS: 'searches=2/d' });
  const { key } = await f.createAgent();
  const ask = async () =>
    (await factories(limited).send('GET', '/api/v1/me/catch-up', { key })).status;
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
});
