import { describe, expect, it } from 'vitest';
import { toReceiptTopic } from '../../../src/features/receipts/rules.ts';
import { startApp } from '../../support/app.ts';
import {
  buildProblem,
  factories,
  type Json,
  runConcurrently,
  type TestAgent,
  waitUntil,
} from '../../support/factories.ts';

const app = await startApp();
const f = factories(app);
const STREAM = '/api/v1/me/events';

const getPage = (key: string, query = ''): Promise<Json> =>
  f.ok('GET', `${STREAM}${query}`, { key });

/** Reads every page from the beginning, `limit` at a time. */
async function listAllReceipts(key: string, limit = 100): Promise<Json[]> {
  const events: Json[] = [];
  for (let cursor = 0, more = true; more; ) {
    const {
      events: found,
      nextCursor,
      hasMore,
    } = await getPage(key, `?cursor=${cursor}&limit=${limit}`);
    expect(nextCursor >= cursor && found.length <= limit).toBe(true);
    events.push(...found);
    [cursor, more] = [nextCursor, hasMore];
  }
  return events;
}

const listSummaries = (events: readonly Json[]) => events.map(({ summary }) => summary);

describe('listMyReceipts', () => {
  it('[receipt.stream] reaches actor, answered agent and owners, once each', async () => {
    const owner = await f.createAgent('owner-1');
    const author = await f.createAgent('author-1');
    const poster = await f.createAgent('poster-1');
    const reader = await f.createAgent('reader-1');
    const room = await f.createRoom(owner);
    for (const agent of [author, poster, reader]) await f.joinRoom(agent, room);
    const thread = await f.createThread(author, room, { title: 'T' });
    const asked = await f.postMessage(reader, thread, 'A question');
    const answer = await f.postMessage(poster, thread, 'An answer', { replyToId: asked.id });
    await f.postMessage(author, thread, 'Nobody in particular, @reader-1');
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
      expect(listSummaries(await listAllReceipts(agent.key))).toEqual([...all, ...more]);
    expect(listSummaries(await listAllReceipts(poster.key))).toEqual([more[0], more[2]]);
    expect(listSummaries(await listAllReceipts(reader.key))).toEqual([all[2], more[0]]);
    expect((await listAllReceipts(poster.key))[0]).toEqual(
      await f.ok('GET', `/e/${answer.receiptId}.json`),
    );
    expect(await listAllReceipts(owner.key, 1)).toEqual(await listAllReceipts(owner.key, 500));
    expect(await getPage((await f.createAgent()).key)).toEqual({
      events: [],
      nextCursor: 0,
      hasMore: false,
    });
  });

  it('[receipt.stream] returns every act once, in order, while two nodes write', async () => {
    const nodes = [app, await app.startNode()];
    const owner = await f.createAgent();
    const room = await f.createRoom(owner);
    const posters = await runConcurrently(4, async () => {
      const poster = await f.createAgent();
      await f.joinRoom(poster, room);
      return poster;
    });
    const threads = await runConcurrently(4, () => f.createThread(owner, room));
    const followed: string[] = [];
    let cursor = 0;
    let done = false;
    const readOn = async () => {
      const { events, nextCursor } = await getPage(owner.key, `?cursor=${cursor}&limit=7`);
      cursor = nextCursor;
      followed.push(...events.map(({ id }: Json) => id));
      return events.length;
    };
    const following = (async () => {
      while (!done) await readOn();
    })();
    const posts = await runConcurrently(4, async (index) => {
      const receipts: string[] = [];
      for (let post = 0; post < 15; post++) {
        const { url } = nodes[(index + post) % 2] as (typeof nodes)[number];
        receipts.push(
          (
            await factories({ url }).postMessage(
              posters[index] as TestAgent,
              threads[index] as string,
              `Post ${post}`,
            )
          ).receiptId,
        );
      }
      return receipts;
    });
    await waitUntil(
      'all have their place',
      async () => (await listAllReceipts(owner.key)).length === 8 + 60,
    );
    done = true;
    await following;
    while ((await readOn()) > 0);
    expect(followed).toEqual((await listAllReceipts(owner.key)).map(({ id }) => id));
    expect(new Set(followed).size).toBe(68);
    for (const receipts of posts) expect(followed).toEqual(expect.arrayContaining(receipts));
  });

  it('[attack.17-2] [attack.25-1] (API1) tells no outsider that others act', async () => {
    const owner = await f.createAgent();
    const [starter, asker, member] = [
      await f.createAgent(),
      await f.createAgent(),
      await f.createAgent(),
    ];
    const room = await f.createRoom(owner, 'private');
    for (const agent of [starter, asker, member]) await f.addMember(owner, room, agent);
    const thread = await f.createThread(starter, room);
    const { id: asked } = await f.postMessage(asker, thread, 'A question');
    for (const { id } of [starter, asker])
      await f.ok('DELETE', `/api/v1/rooms/${room}/members/${id}`, { key: owner.key });
    await app.app.jobs.runDue();
    const readAll = () =>
      Promise.all([owner, starter, asker].map(async ({ key }) => (await getPage(key)).nextCursor));
    const before = await readAll();
    // Who is woken looks whether a hint is due, and its hook shows when.
    const woken: string[] = [];
    const { hub } = app.app.env;
    const ends = [owner, starter, asker, member].flatMap(({ id, handle }) => [
      hub.subscribe(id, () => woken.push(`news of ${handle}`)),
      hub.subscribe(toReceiptTopic(id), () => woken.push(`receipts of ${handle}`)),
    ]);
    // The watch for lost notifications wakes whoever it has not seen waiting before.
    await waitUntil('it has seen them', () => new Set(woken).size === 4);
    woken.length = 0;
    await f.postMessage(member, thread, 'An answer', { replyToId: asked });
    await app.app.jobs.runDue();
    for (const end of ends) end();
    expect(new Set(woken)).toEqual(
      new Set([`receipts of ${owner.handle}`, `receipts of ${member.handle}`]),
    );
    const [ofOwner, ...others] = await readAll();
    expect(others).toEqual(before.slice(1));
    expect(ofOwner).toBeGreaterThan(before[0]);
    const ahead = { key: starter.key };
    expect(await f.send('GET', `${STREAM}?cursor=${ofOwner}`, ahead)).toMatchObject(
      buildProblem(400, 'invalid_request', { head: before[1] }),
    );
  });

  it('[receipt.stream] [receipt.stream-ahead] rejects limits and cursors ahead', async () => {
    const owner = await f.createAgent();
    await f.createThread(owner, await f.createRoom(owner));
    await app.app.jobs.runDue();
    const { nextCursor: head } = await getPage(owner.key);
    expect(await getPage(owner.key, `?cursor=${head}`)).toEqual({
      events: [],
      nextCursor: head,
      hasMore: false,
    });
    expect(await f.send('GET', `${STREAM}?cursor=${head + 1}`, { key: owner.key })).toMatchObject(
      buildProblem(400, 'invalid_request', { head }),
    );
    for (const query of [
      'limit=0',
      'limit=501',
      'limit=x',
      'cursor=-1',
      'cursor=1.5',
      'cursor=9007199254740992',
      'wait=61',
    ])
      expect(await f.sendForOutcome('GET', `${STREAM}?${query}`, { key: owner.key }), query).toBe(
        '400 invalid_request',
      );
    expect((await getPage(owner.key, '?limit=500')).events).toHaveLength(2);
    expect((await f.send('GET', STREAM, { key: owner.key })).headers.get('cache-control')).toBe(
      'private, no-store',
    );
  });

  it('[receipt.stream-private] listMyReceipts leaves out what the agent lost', async () => {
    const owner = await f.createAgent('owner-2');
    const member = await f.createAgent('member-2');
    const secret = await f.createRoom(owner, 'private');
    await f.addMember(owner, secret, member);
    const open = await f.createRoom(member);
    const hidden = await f.createThread(owner, secret);
    await f.postMessage(member, hidden, 'Secret');
    await f.createThread(member, open, { title: 'Open' });
    await f.postMessage(member, hidden, 'Secret too');
    await app.app.jobs.runDue();

    const publicOnes = [
      '@member-2 started the thread "Open"',
      '@member-2 posted message 0 in "Open"',
    ];
    expect(listSummaries(await listAllReceipts(member.key))).toEqual([
      '@member-2 posted message 1 in "A thread"',
      ...publicOnes,
      '@member-2 posted message 2 in "A thread"',
    ]);
    const { nextCursor } = await getPage(member.key);
    await f.ok('DELETE', `/api/v1/rooms/${secret}/members/${member.id}`, { key: owner.key });
    expect(listSummaries(await listAllReceipts(member.key))).toEqual(publicOnes);
    expect(await getPage(member.key)).toMatchObject({ nextCursor, hasMore: false });
    expect(await getPage(member.key, '?limit=1')).toMatchObject({ events: [], hasMore: true });
  });

  it('[receipt.stream-wait] returns as soon as a receipt arrives, on any node', async () => {
    const other = await app.startNode();
    const agent = await f.createAgent();
    const room = await f.createRoom(agent);
    const waiting = [app, other].map(async (node) => {
      const reading = factories(node).ok('GET', `${STREAM}?wait=60`, { key: agent.key });
      await waitUntil('the reader waits', () => node.app.env.load.measure('waits') > 0);
      return { reading };
    });
    const started = await Promise.all(waiting);
    await f.createThread(agent, room);
    for (const { reading } of started) {
      const page = await reading;
      expect(page.events[0]).toMatchObject({ kind: 'thread.created' });
      expect(page.nextCursor).toBeGreaterThan(0);
    }
  });

  it('[receipt.stream-wait] returns an empty page with its cursor when time is over', async () => {
    const agent = await f.createAgent();
    expect(await getPage(agent.key, '?wait=1')).toEqual({
      events: [],
      nextCursor: 0,
      hasMore: false,
    });
    for (const wait of ['61', '-1', 'x'])
      expect(await f.sendForOutcome('GET', `${STREAM}?wait=${wait}`, { key: agent.key })).toBe(
        '400 invalid_request',
      );
  });
});
