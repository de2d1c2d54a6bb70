import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type Json, runConcurrently } from '../../support/factories.ts';
import { requestHelpers } from './setup.ts';

const app = await startApp({}, { manualJobs: true });
const f = factories(app);
const r = requestHelpers(app, f);
const conflict = (members: object = {}) => buildProblem(409, 'state_conflict', { ...members });

describe('requests', () => {
  it('[claim.request] postMessage and createThread make requests that messages show', async () => {
    const { ada, roomId, threadId } = await r.setUp();
    const asked = await r.ask(ada, threadId);
    const plain = await f.postMessage(ada, threadId, 'No request.');
    const open = { state: 'open', claim: null, answerId: null };
    expect(await r.readRequest(asked)).toEqual(open);
    expect(await r.readRequest(plain.id)).toBeNull();
    const page = await f.ok('GET', `/api/v1/threads/${threadId}/messages`);
    expect(page.messages.map(({ request }: Json) => request)).toEqual([null, open, null]);
    const { messageId } = await f.ok('POST', `/api/v1/rooms/${roomId}/threads`, {
      key: ada.key,
      body: { title: 'T', body: 'B', request: true, tags: ['review'] },
    });
    expect(await r.readRequest(messageId)).toEqual(open);
    await f.ok('DELETE', `/api/v1/messages/${messageId}`, { key: ada.key });
    expect(await r.read(messageId)).toMatchObject({ deleted: true, request: null });
    expect(await r.claim(ada, messageId)).toMatchObject(conflict({ reason: 'no_request' }));
  });

  it('[claim.request] listMessages shows claims as they are, on pages read often too', async () => {
    const { ada, bob, threadId } = await r.setUp();
    const asked = await r.ask(ada, threadId);
    const path = `/api/v1/threads/${threadId}/messages?limit=2`;
    const readState = async () => (await f.ok('GET', path, { key: bob.key })).messages[1].request;
    for (let time = 0; time < 3; time++) expect((await readState()).state).toBe('open');
    await r.claim(bob, asked);
    expect(await readState()).toMatchObject({ state: 'claimed', claim: { fence: 1 } });
    const others = await f.ok('GET', path);
    expect(others.messages[1].request.claim).toMatchObject({ holderId: bob.id, fence: null });
    await r.expire(asked);
    expect(await readState()).toEqual({ state: 'open', claim: null, answerId: null });
  });
});

describe('claimRequest', () => {
  it('[claim.take] [claim.fence] takes an open request for a time', async () => {
    const { ada, bob, threadId } = await r.setUp();
    const asked = await r.ask(ada, threadId);
    const { status, body } = await r.claim(bob, asked);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { fence: 1, holderId: bob.id, holderHandle: bob.handle },
    });
    const { claimId, expiresAt } = body;
    expect(await r.readRequest(asked, bob)).toEqual({
      state: 'claimed',
      claim: body,
      answerId: null,
    });
    expect((await r.readRequest(asked, ada)).claim).toEqual({ ...body, fence: null });
    expect(claimId).toMatch(/^[0-9a-f-]{36}$/);
    const [lease] = await app.app.env.db.rows<{ seconds: number }>(sql`
      SELECT extract(epoch FROM expires_at - clock_timestamp())::int AS seconds
      FROM requests
      WHERE message_id = ${asked} AND expires_at = ${expiresAt}
    `);
    expect(lease?.seconds).toBeGreaterThan(200);
    expect(lease?.seconds).toBeLessThanOrEqual(300);
    for (const leaseSeconds of [4, 3601, 0.5])
      expect(await r.claim(bob, asked, { leaseSeconds })).toMatchObject({ status: 400 });
  });

  it('[claim.held] refuses what is held, and gives it to one of many', async () => {
    const { ada, bob, cyd, threadId } = await r.setUp();
    const asked = await r.ask(ada, threadId);
    const takers = [bob, cyd, bob, cyd, ada, bob, cyd, ada];
    const answers = await runConcurrently(takers.length, (nr) => r.claim(takers[nr] ?? ada, asked));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const { holderId, holderHandle, expiresAt } = won[0]?.body ?? {};
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(
        conflict({ state: 'claimed', holderId, holderHandle, expiresAt }),
      );
    const holder = [ada, bob, cyd].find(({ id }) => id === holderId) ?? ada;
    expect(await r.claim(holder, asked)).toMatchObject(conflict({ holderId, expiresAt }));
  });

  it('[claim.no-request] claimRequest refuses a message that asks for nobody', async () => {
    const { ada, bob, threadId } = await r.setUp();
    const { id } = await f.postMessage(ada, threadId, 'Just so.');
    expect(await r.claim(bob, id)).toMatchObject(conflict({ reason: 'no_request' }));
    for (const call of [r.renew(bob, id, 1), r.release(bob, id, 1), r.cancel(ada, id)])
      expect(await call).toMatchObject(conflict({ reason: 'no_request' }));
  });

  it('[claim.who] claimRequest serves whoever may post', async () => {
    const { ada, bob, roomId, threadId } = await r.setUp('private');
    const asked = await r.ask(ada, threadId);
    const stranger = await f.createAgent();
    expect(await r.claim(stranger, asked)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    await f.archiveRoom(ada, roomId);
    expect(await r.claim(bob, asked)).toMatchObject(conflict({ state: 'archived' }));
  });

  it('[claim.repeat] claimRequest repeats a claim as it is now, until it is lost', async () => {
    const { ada, bob, threadId } = await r.setUp();
    const asked = await r.ask(ada, threadId);
    const idem = randomUUID();
    const first = await r.claim(bob, asked, {}, { idem });
    const renewed = await r.renew(bob, asked, 1, { leaseSeconds: 3000 });
    const again = await r.claim(bob, asked, {}, { idem });
    expect(again.body).toEqual({ ...first.body, expiresAt: renewed.body.expiresAt });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    await r.expire(asked);
    expect(await r.claim(bob, asked, {}, { idem })).toMatchObject(conflict({ reason: 'lost' }));
    expect((await r.claim(bob, asked)).body.fence).toBe(2);
    expect(await r.claim(bob, asked, {}, { idem })).toMatchObject(conflict({ reason: 'lost' }));
    const other = await r.claim(bob, asked, { leaseSeconds: 60 }, { idem });
    expect(other).toMatchObject(buildProblem(422, 'idempotency_key_reused'));
  });
});

describe('holding a claim', () => {
  it('[claim.renew] renewClaim moves the expiry of what is held', async () => {
    const { ada, bob, threadId } = await r.setUp();
    const asked = await r.ask(ada, threadId);
    const { body } = await r.claim(bob, asked, { leaseSeconds: 60 });
    const renewed = await r.renew(bob, asked, 1, { leaseSeconds: 600 });
    expect(renewed.body).toEqual({ ...body, expiresAt: renewed.body.expiresAt });
    expect(renewed.body.expiresAt > body.expiresAt).toBe(true);
    await r.expire(asked);
    expect(await r.renew(bob, asked, 1)).toMatchObject(
      conflict({ reason: 'fence', state: 'open', holderId: null, expiresAt: null }),
    );
  });

  it('[claim.release] [claim.fence] releaseClaim opens it, and no fence comes twice', async () => {
    const { ada, bob, cyd, threadId } = await r.setUp();
    const asked = await r.ask(ada, threadId);
    const fences: number[] = [];
    for (const who of [bob, cyd, bob, bob]) {
      const { body } = await r.claim(who, asked);
      fences.push(body.fence);
      expect(await r.release(who, asked, body.fence)).toMatchObject({
        status: 200,
        body: { id: asked },
      });
    }
    expect(fences).toEqual([1, 2, 3, 4]);
    expect((await r.readRequest(asked)).state).toBe('open');
    expect(await r.listLost(bob)).toEqual([]);
  });

  it('[claim.stale] renewClaim, releaseClaim and postMessage refuse a stale fence', async () => {
    const { ada, bob, cyd, threadId } = await r.setUp();
    const asked = await r.ask(ada, threadId);
    await r.claim(bob, asked);
    await r.expire(asked);
    const { body } = await r.claim(cyd, asked);
    const before = await r.count(threadId);
    const { fence: _, claimId: __, ...holder } = body;
    const stale = conflict({ reason: 'fence', state: 'claimed', ...holder });
    for (const fence of [1, 3])
      for (const call of [
        r.renew(cyd, asked, fence),
        r.release(cyd, asked, fence),
        r.answer(cyd, threadId, asked, fence),
      ])
        expect(await call).toMatchObject(stale);
    // The right fence is of no use to another agent.
    for (const call of [
      r.renew(bob, asked, 2),
      r.release(bob, asked, 2),
      r.answer(bob, threadId, asked, 2),
    ])
      expect(await call).toMatchObject(stale);
    expect(await r.count(threadId)).toBe(before);
    expect((await r.readRequest(asked, cyd)).claim).toEqual(body);
  });

  it('[claim.answer] [claim.answer-receipt] postMessage answers and ends the claim', async () => {
    const { ada, bob, threadId } = await r.setUp();
    const asked = await r.ask(ada, threadId);
    const { body: claim } = await r.claim(bob, asked);
    const { status, body } = await r.answer(bob, threadId, asked, claim.fence);
    expect(status).toBe(200);
    expect(await r.readRequest(asked, bob)).toEqual({
      state: 'answered',
      claim: null,
      answerId: body.id,
    });
    const acts = await app.app.env.db.rows<Json>(sql`
      SELECT kind, actor_id AS actor, visibility
      FROM portable_events
      WHERE subject_id = ${asked} AND kind = 'request.answered'
    `);
    expect(acts).toEqual([{ kind: 'request.answered', actor: bob.id, visibility: 'public' }]);
    await app.app.jobs.runDue();
    const receipts = await f.ok('GET', '/api/v1/me/events', { key: ada.key });
    expect(receipts.events.map(({ kind }: Json) => kind)).toContain('request.answered');
    const over = { state: 'answered', holderId: null };
    expect(await r.claim(ada, asked)).toMatchObject(conflict(over));
    expect(await r.answer(bob, threadId, asked, 1)).toMatchObject(conflict(over));
    expect(await r.cancel(ada, asked)).toMatchObject(conflict(over));
  });

  it('[claim.answer] postMessage posts nothing for what is not held', async () => {
    const { ada, bob, roomId, threadId } = await r.setUp();
    const asked = await r.ask(ada, threadId);
    const { id: plain } = await f.postMessage(ada, threadId, 'No request.');
    const elsewhere = await r.ask(ada, await f.createThread(ada, roomId));
    await r.claim(bob, elsewhere);
    const before = await r.count(threadId);
    const reason = 'fence';
    expect(await r.answer(bob, threadId, asked)).toMatchObject(conflict({ reason }));
    expect(await r.answer(bob, threadId, asked, 1)).toMatchObject(conflict({ reason }));
    expect(await r.answer(bob, threadId, plain, 1)).toMatchObject(
      conflict({ reason: 'no_request' }),
    );
    for (const id of [elsewhere, randomUUID()])
      expect(await r.answer(bob, threadId, id, 1)).toMatchObject({ status: 400 });
    const fenceAlone = await f.send('POST', `/api/v1/threads/${threadId}/messages`, {
      key: bob.key,
      body: { body: 'B', fence: 1 },
    });
    expect(fenceAlone).toMatchObject({ status: 400 });
    expect(await r.count(threadId)).toBe(before);
  });

  it('[claim.answer] of answers at once with one fence, postMessage posts one', async () => {
    const { ada, bob, threadId } = await r.setUp();
    const asked = await r.ask(ada, threadId);
    await r.claim(bob, asked);
    const answers = await runConcurrently(6, () => r.answer(bob, threadId, asked, 1));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await r.count(threadId)).toBe(3);
  });

  it('[claim.expiry] claimRequest goes by the clock of the database alone', async () => {
    const { ada, bob, cyd, threadId } = await r.setUp();
    const asked = await r.ask(ada, threadId);
    await r.claim(bob, asked);
    app.clock.advance(24 * 3600 * 1000);
    expect((await r.readRequest(asked)).state).toBe('claimed');
    expect(await r.claim(cyd, asked)).toMatchObject({ status: 409 });
    await r.expire(asked);
    expect(await r.readRequest(asked, bob)).toEqual({ state: 'open', claim: null, answerId: null });
    expect(await r.answer(bob, threadId, asked, 1)).toMatchObject(conflict({ reason: 'fence' }));
    expect((await r.claim(cyd, asked)).body).toMatchObject({ fence: 2, holderId: cyd.id });
  });
});

describe('cancelRequest', () => {
  it('[claim.cancel] ends a request and its claim for its author alone', async () => {
    const { ada, bob, cyd, threadId } = await r.setUp();
    const asked = await r.ask(bob, threadId);
    await r.claim(cyd, asked);
    expect(await r.cancel(ada, asked)).toMatchObject({ status: 403 });
    expect(await r.cancel(bob, asked)).toMatchObject({ status: 200, body: { state: 'cancelled' } });
    expect(await r.readRequest(asked)).toEqual({ state: 'cancelled', claim: null, answerId: null });
    const over = conflict({ state: 'cancelled', holderId: null });
    for (const call of [
      r.claim(cyd, asked),
      r.answer(cyd, threadId, asked, 1),
      r.cancel(bob, asked),
    ])
      expect(await call).toMatchObject(over);
  });
});
