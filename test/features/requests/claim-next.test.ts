import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MAX_HELD } from '../../../src/features/requests/rules.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, runConcurrently } from '../../support/factories.ts';
import { requestHelpers } from './setup.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const r = requestHelpers(app, f);

const next = (key: string, body: object, idem = randomUUID(), url = app.url) =>
  factories({ url }).send('POST', '/api/v1/claims/next', { key, body, idem });
const takeIds = async (key: string, body: object): Promise<string[]> => {
  const answer = await next(key, body);
  expect(answer.status).toBe(200);
  return answer.body.map(({ messageId }: Json) => messageId);
};

describe('claimNext', () => {
  it('[claim.next] takes the oldest that the caller may answer', async () => {
    const { ada, bob, roomId, threadId } = await r.setUp();
    const tagged = await f.createThread(ada, roomId, { tags: ['review', 'other'] });
    const ids: string[] = [];
    for (const thread of [threadId, tagged, threadId, tagged, threadId]) {
      app.clock.advance(1000);
      ids.push(await r.ask(ada, thread));
    }
    await r.ask(bob, threadId);
    expect(await takeIds(bob.key, { roomId })).toEqual([ids[0]]);
    expect(await takeIds(bob.key, { tag: 'review' })).toEqual([ids[1]]);
    const { body } = await next(bob.key, { threadId: tagged, tag: 'other', roomId });
    expect(body).toMatchObject([
      {
        messageId: ids[3],
        threadId: tagged,
        roomId,
        claim: { fence: 1, holderId: bob.id, holderHandle: bob.handle },
      },
    ]);
    expect(await takeIds(bob.key, { tag: 'unknown' })).toEqual([]);
    expect(await takeIds(bob.key, { roomId, limit: 20 })).toEqual([ids[2], ids[4]]);
    expect(await takeIds(bob.key, { roomId })).toEqual([]);
    await r.expire(ids[2] ?? '');
    expect((await next(bob.key, { tag: 'review', roomId })).body).toEqual([]);
    const again = await next(bob.key, { threadId });
    expect(again.body).toMatchObject([{ messageId: ids[2], claim: { fence: 2 } }]);
    expect(await next(bob.key, {})).toMatchObject(buildProblem(400, 'invalid_request'));
  });

  it('[claim.next] takes nothing where the caller may not post', async () => {
    const { ada, bob, roomId, threadId } = await r.setUp('public', { tags: ['secret-work'] });
    await r.ask(ada, threadId);
    const stranger = await f.createAgent();
    expect(await next(stranger.key, { roomId })).toMatchObject({
      body: { code: 'membership_required' },
    });
    expect(await takeIds(stranger.key, { tag: 'secret-work' })).toEqual([]);
    await f.archiveRoom(ada, roomId);
    expect(await takeIds(bob.key, { tag: 'secret-work' })).toEqual([]);
  });

  it('[attack.3-8] gives nobody all the work of a room', async () => {
    const { ada, bob, cyd, threadId } = await r.setUp();
    const ids = await runConcurrently(MAX_HELD + 1, () => r.ask(ada, threadId));
    const taken: string[] = [];
    for (let left = MAX_HELD; left > 0; left -= 19)
      taken.push(...(await takeIds(bob.key, { threadId, limit: 19 })));
    expect(taken).toHaveLength(MAX_HELD);
    const refused = buildProblem(422, 'limit_exceeded', { limit: MAX_HELD });
    const [open = ''] = ids.filter((id) => !taken.includes(id));
    expect(await next(bob.key, { threadId })).toMatchObject(refused);
    expect(await r.claim(bob, open)).toMatchObject(refused);
    await r.release(bob, taken[0] ?? '', 1);
    expect((await r.claim(bob, open)).status).toBe(200);
    expect(await takeIds(cyd.key, { threadId, limit: 20 })).toEqual([taken[0]]);
  });

  it('[attack.6-5] holds the limit for calls at once', async () => {
    const { ada, bob, threadId } = await r.setUp();
    const ids: string[] = [];
    for (let nr = 0; nr < 14; nr++)
      ids.push(...(await runConcurrently(8, () => r.ask(ada, threadId))));
    for (let left = MAX_HELD - 2; left > 0; left -= 14)
      await takeIds(bob.key, { threadId, limit: 14 });
    const held = new Set(
      (await f.ok('GET', '/api/v1/me/claims?limit=100', { key: bob.key })).map(
        ({ messageId }: Json) => messageId,
      ),
    );
    const open = ids.filter((id) => !held.has(id));
    await runConcurrently(12, async (nr) =>
      nr % 2 ? next(bob.key, { threadId, limit: 10 }) : r.claim(bob, open[nr] ?? ''),
    );
    const pages = await f.listPages('/api/v1/me/claims?limit=100', { key: bob.key });
    expect(pages.flat()).toHaveLength(MAX_HELD);
  });

  it('[claim.next-once] gives each request to one of many', async () => {
    const { ada, bob, cyd, roomId, threadId } = await r.setUp('public', { tags: ['many'] });
    const ids = new Set<string>();
    for (let nr = 0; nr < 12; nr++) ids.add(await r.ask(ada, threadId));
    const taken = (
      await runConcurrently(16, (nr) =>
        takeIds((nr % 2 ? bob : cyd).key, nr % 4 < 2 ? { roomId } : { tag: 'many' }),
      )
    ).flat();
    expect(new Set(taken)).toEqual(ids);
    expect(taken).toHaveLength(12);
  });

  it('[claim.next-wait] waits for a request, here and on another node', async () => {
    const { ada, bob, cyd, roomId, threadId } = await r.setUp('private', { tags: ['wait-for'] });
    const other = await app.startNode();
    const byRoom = next(bob.key, { roomId, wait: 30 });
    const byTag = next(cyd.key, { tag: 'wait-for', wait: 30 }, randomUUID(), other.url);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const ids = [await r.ask(ada, threadId), await r.ask(ada, threadId)];
    const taken = (await Promise.all([byRoom, byTag])).flatMap(({ body }) => body);
    expect(taken.map(({ messageId }: Json) => messageId).sort()).toEqual(ids.sort());
    const held = taken.find(({ claim }: Json) => claim.holderId === cyd.id);
    const freed = next(bob.key, { threadId, wait: 30 });
    await r.release(cyd, held.messageId, held.claim.fence);
    expect((await freed).body).toMatchObject([{ messageId: held.messageId, claim: { fence: 2 } }]);
    expect((await next(cyd.key, { threadId, wait: 1 })).body).toEqual([]);
  });

  it('[claim.repeat] claimNext repeats its claims as they are now, until lost', async () => {
    const { ada, bob, roomId, threadId } = await r.setUp();
    const ids = [await r.ask(ada, threadId), await r.ask(ada, threadId)];
    const idem = randomUUID();
    const first = await next(bob.key, { roomId, limit: 2 }, idem);
    const again = await next(bob.key, { roomId, limit: 2 }, idem);
    expect(again.body).toEqual(first.body);
    await r.release(bob, ids[0] ?? '', 1);
    expect((await next(bob.key, { roomId, limit: 2 }, idem)).body).toEqual(first.body.slice(1));
    await r.answer(bob, threadId, ids[1] ?? '', 1);
    expect(await next(bob.key, { roomId, limit: 2 }, idem)).toMatchObject(
      buildProblem(409, 'state_conflict', { reason: 'lost' }),
    );
  });
});

describe('lists', () => {
  it('[claim.mine] listMyClaims shows what is held now', async () => {
    const { ada, bob, threadId } = await r.setUp();
    const asked = await r.ask(ada, threadId);
    const lost = await r.ask(ada, threadId);
    const { body: claim } = await r.claim(bob, asked);
    await r.claim(bob, lost);
    await r.expire(lost);
    const mine = await f.ok('GET', '/api/v1/me/claims', { key: bob.key });
    expect(mine).toMatchObject([{ messageId: asked, threadId, claim }]);
    expect(await f.ok('GET', '/api/v1/me/claims', { key: ada.key })).toEqual([]);
  });

  it('[claim.list] listRequests shows requests by state, room and tag', async () => {
    const { ada, bob, roomId, threadId } = await r.setUp('private', { tags: ['listed'] });
    const ids: string[] = [];
    for (let nr = 0; nr < 5; nr++) {
      app.clock.advance(1000);
      ids.push(await r.ask(ada, threadId, `Task\n${nr}`));
    }
    const [open, claimed = '', expired = '', answered = '', cancelled = ''] = ids;
    const { body: claim } = await r.claim(bob, claimed);
    await r.claim(bob, expired);
    await r.claim(bob, answered);
    await r.expire(expired);
    await r.answer(bob, threadId, answered, 1);
    await r.cancel(ada, cancelled);
    const list = (query: string, key?: string): Promise<Json[]> =>
      f.ok('GET', `/api/v1/requests?roomId=${roomId}&${query}`, { key });
    const listIds = async (query: string, key?: string) =>
      (await list(query, key)).map(({ messageId }: Json) => messageId);
    for (const filter of ['', '&tag=listed']) {
      expect(await listIds(filter, bob.key)).toEqual([open, expired]);
      expect(await listIds(`state=claimed${filter}`, bob.key)).toEqual([claimed]);
      expect(await listIds(`state=answered${filter}`, bob.key)).toEqual([answered]);
      expect(await listIds(`state=cancelled${filter}`, bob.key)).toEqual([cancelled]);
    }
    expect(await listIds('tag=other', bob.key)).toEqual([]);
    expect(await list('state=claimed', bob.key)).toMatchObject([
      {
        threadId,
        threadTitle: 'A thread',
        roomId,
        authorHandle: ada.handle,
        excerpt: 'Task 1',
        state: 'claimed',
        claim,
      },
    ]);
    expect((await list('state=claimed', ada.key))[0].claim.fence).toBeNull();
    const stranger = await f.createAgent();
    expect([...(await list('')), ...(await list('', stranger.key))]).toEqual([]);
  });
});
