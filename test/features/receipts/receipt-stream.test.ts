import { describe, expect, it } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, refused, type TestAgent, together, until } from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const STREAM = '/api/v1/me/events';

const page = (key: string, query = ''): Promise<Loose> => f.ok('GET', `${STREAM}${query}`, { key });

/** Every page from the beginning, `limit` at a time. */
async function walk(key: string, limit = 100): Promise<Loose[]> {
  const events: Loose[] = [];
  for (let cursor = 0, more = true; more; ) {
    const {
      events: found,
      nextCursor,
      hasMore,
    } = await page(key, `?cursor=${cursor}&limit=${limit}`);
    expect(nextCursor >= cursor && found.length <= limit).toBe(true);
    events.push(...found);
    [cursor, more] = [nextCursor, hasMore];
  }
  return events;
}

const summaries = (events: readonly Loose[]) => events.map(({ summary }) => summary);

/** A key of this agent that may read private receipts. */
async function trusted(agent: TestAgent): Promise<string> {
  await f.grant(agent, 'credentials');
  return (await f.scopedKey(agent, ['forum', 'credentials'])).apiKey;
}

describe('the stream of receipts', () => {
  it('[receipt.stream] goes to the actor, the one who is answered, and the owners of thread and room, each once', async () => {
    const [owner, author, poster, reader] = [
      await f.agent('owner-1'),
      await f.agent('author-1'),
      await f.agent('poster-1'),
      await f.agent('reader-1'),
    ];
    const room = await f.room(owner);
    for (const agent of [author, poster, reader]) await f.join(agent, room);
    const thread = await f.thread(author, room, { title: 'T' });
    const asked = await f.post(reader, thread, 'A question');
    const answer = await f.post(poster, thread, 'An answer', { replyToId: asked.id });
    await f.post(author, thread, 'Nobody in particular, @reader-1');
    await f.ok('DELETE', `/api/v1/admin/messages/${answer.id}`, { admin: true });
    await app.app.jobs.runDue();

    const all = [
      '@author-1 started the thread "T"',
      '@author-1 posted message 0 in "T"',
      '@reader-1 posted message 1 in "T"',
    ];
    const more = [
      '@poster-1 posted message 2 in "T"',
      '@author-1 posted message 3 in "T"',
      'An administrator deleted message 2 in "T"',
    ];
    for (const agent of [owner, author])
      expect(summaries(await walk(agent.key))).toEqual([...all, ...more]);
    expect(summaries(await walk(poster.key))).toEqual([more[0], more[2]]);
    expect(summaries(await walk(reader.key))).toEqual([all[2], more[0]]);
    expect((await walk(poster.key))[0]).toEqual(await f.ok('GET', `/e/${answer.receiptId}.json`));
    expect(await walk(owner.key, 1)).toEqual(await walk(owner.key, 500));
    expect(await page((await f.agent()).key)).toEqual({
      events: [],
      nextCursor: 0,
      hasMore: false,
    });
  });

  it('[receipt.stream] gives every act once and in order, while two nodes write and readers follow', async () => {
    const nodes = [app, await app.another()];
    const owner = await f.agent();
    const room = await f.room(owner);
    const posters = await together(4, async () => {
      const poster = await f.agent();
      await f.join(poster, room);
      return poster;
    });
    const threads = await together(4, () => f.thread(owner, room));
    const followed: string[] = [];
    let [cursor, done] = [0, false];
    const follow = async () => {
      const { events, nextCursor } = await page(owner.key, `?cursor=${cursor}&limit=7`);
      cursor = nextCursor;
      followed.push(...events.map(({ id }: Loose) => id));
      return events.length;
    };
    const following = (async () => {
      while (!done) await follow();
    })();
    const posts = await together(4, async (index) => {
      const receipts: string[] = [];
      for (let post = 0; post < 15; post++) {
        const { url } = nodes[(index + post) % 2] as (typeof nodes)[number];
        receipts.push(
          (
            await factories({ url }).post(
              posters[index] as TestAgent,
              threads[index] as string,
              `Post ${post}`,
            )
          ).receiptId,
        );
      }
      return receipts;
    });
    await until('all have their place', async () => (await walk(owner.key)).length === 8 + 60);
    done = true;
    await following;
    while ((await follow()) > 0);
    expect(followed).toEqual((await walk(owner.key)).map(({ id }) => id));
    expect(new Set(followed).size).toBe(68);
    for (const receipts of posts) expect(followed).toEqual(expect.arrayContaining(receipts));
  });

  it('[receipt.stream] [receipt.stream-ahead] has limits, and a cursor ahead of it names its head', async () => {
    const owner = await f.agent();
    await f.thread(owner, await f.room(owner));
    await app.app.jobs.runDue();
    const { nextCursor: head } = await page(owner.key);
    expect(await page(owner.key, `?cursor=${head}`)).toEqual({
      events: [],
      nextCursor: head,
      hasMore: false,
    });
    expect(await f.send('GET', `${STREAM}?cursor=${head + 1}`, { key: owner.key })).toMatchObject(
      refused(400, 'invalid_request', { head }),
    );
    for (const query of [
      'limit=0',
      'limit=501',
      'limit=x',
      'cursor=-1',
      'cursor=1.5',
      'cursor=9007199254740992',
      'wait=1',
    ])
      expect(await f.outcome('GET', `${STREAM}?${query}`, { key: owner.key }), query).toBe(
        '400 invalid_request',
      );
    expect((await page(owner.key, '?limit=500')).events).toHaveLength(2);
    expect((await f.send('GET', STREAM, { key: owner.key })).headers.get('cache-control')).toBe(
      'private, no-store',
    );
  });

  it('[receipt.stream-private] leaves out what this key may not read now, and moves past it', async () => {
    const [owner, member] = [await f.agent('owner-2'), await f.agent('member-2')];
    const secret = await f.room(owner, 'private');
    await f.invite(owner, secret, member);
    const open = await f.room(member);
    const hidden = await f.thread(owner, secret);
    await f.post(member, hidden, 'Secret');
    await f.thread(member, open, { title: 'Open' });
    await f.post(member, hidden, 'Secret too');
    await app.app.jobs.runDue();

    const key = await trusted(member);
    const publicOnes = [
      '@member-2 started the thread "Open"',
      '@member-2 posted message 0 in "Open"',
    ];
    expect(summaries(await walk(key))).toEqual([
      '@member-2 posted message 1 in "A thread"',
      ...publicOnes,
      '@member-2 posted message 2 in "A thread"',
    ]);
    expect(summaries(await walk(member.key))).toEqual(publicOnes);
    const { nextCursor } = await page(key);
    expect(await page(member.key)).toMatchObject({ nextCursor, hasMore: false });
    expect(await page(member.key, '?limit=1')).toMatchObject({ events: [], hasMore: true });

    await f.grant(member, 'credentials', 'revoked');
    expect(summaries(await walk(key))).toEqual(publicOnes);
    await f.grant(member, 'credentials');
    await f.ok('DELETE', `/api/v1/rooms/${secret}/members/${member.id}`, { key: owner.key });
    expect(summaries(await walk(key))).toEqual(publicOnes);
    expect(await page(key)).toMatchObject({ nextCursor, hasMore: false });
  });
});
