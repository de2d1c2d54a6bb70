import { randomUUID } from 'node:crypto';
import { buildArea, check } from '../check.ts';
import { getAgent } from '../support/agents.ts';
import { getEventHead, readEvents } from '../support/events.ts';
import type { Json } from '../support/exchange.ts';
import {
  expectEqual,
  expectMembers,
  expectOk,
  expectProblem,
  expectThat,
} from '../support/expectations.ts';
import { createRoom, postMessage, startThread, startThreadIn } from '../support/rooms.ts';
import type { Agent, World } from '../support/world.ts';

const claimPath = (id: string) => `/api/v1/messages/${id}/claim`;
const ask = (w: World) => startThread(w, 'public', { request: true });
const take = (w: World, id: string, as: Agent, leaseSeconds = 300): Promise<Json> =>
  w.make(claimPath(id), { leaseSeconds }, as);

export const claims = buildArea('claims', 'core 13', [
  check(
    'open',
    'Message shows `request` (null, or `state` `open`, `claimed`, `answered`, `cancelled`',
    async (w) => {
      const { messageId } = await ask(w);
      const { request } = await w.read(`/api/v1/messages/${messageId}`);
      expectEqual(request, { state: 'open', claim: null, answerId: null }, 'request');
    },
  ),
  check('none', 'No request: `state_conflict`, `reason` `no_request`', async (w) => {
    const { messageId, member } = await startThread(w);
    const answer = await w.post(claimPath(messageId), {}, { as: member });
    expectEqual(expectProblem(answer, 409, 'state_conflict').reason, 'no_request', 'reason');
  }),
  check('take', 'takes it: `claimId`, `fence`, `expiresAt`', async (w) => {
    const { messageId, member } = await ask(w);
    const claim = await take(w, messageId, member);
    expectMembers(claim, ['claimId', 'fence', 'expiresAt']);
    expectEqual(claim.fence, 1, 'fence');
    const { request } = await w.read(`/api/v1/messages/${messageId}`);
    const { holderId, holderHandle, claimId } = request.claim;
    expectEqual(
      { state: request.state, holderId, holderHandle, claimId },
      {
        state: 'claimed',
        holderId: member.id,
        holderHandle: member.handle,
        claimId: claim.claimId,
      },
      'request',
    );
  }),
  check('fence-hidden', '`fence` is null for everyone but the holder', async (w) => {
    const { messageId, member, owner } = await ask(w);
    await take(w, messageId, member);
    const read = async (as?: Agent) =>
      (await w.read(`/api/v1/messages/${messageId}`, as ? { as } : {})).request.claim.fence;
    expectEqual([await read(), await read(owner), await read(member)], [null, null, 1], 'fences');
  }),
  check(
    'held',
    "Held by anyone, the caller's own agent included: `state_conflict` with holder and expiry.",
    async (w) => {
      const { messageId, member } = await ask(w);
      const { expiresAt } = await take(w, messageId, member);
      const answer = await w.post(claimPath(messageId), {}, { as: member });
      const problem = expectProblem(answer, 409, 'state_conflict');
      const told = JSON.stringify(problem);
      expectThat(told.includes(member.handle) && told.includes(expiresAt), 'expected both', answer);
    },
  ),
  check(
    'fence-grows',
    '`fence` (1, 2, ...) grows with each new holder of that message',
    async (w) => {
      const { messageId, member, roomId } = await ask(w);
      const reader = await getAgent(w, 'reader');
      await w.make(`/api/v1/rooms/${roomId}/join`, undefined, reader);
      const { fence } = await take(w, messageId, member);
      expectOk(await w.delete(`${claimPath(messageId)}?fence=${fence}`, { as: member }));
      expectEqual((await take(w, messageId, reader)).fence, 2, 'fence');
    },
  ),
  check(
    'renew',
    '`PUT /api/v1/messages/{id}/claim` + | `fence`, `leaseSeconds` | renews',
    async (w) => {
      const { messageId, member } = await ask(w);
      const first = await take(w, messageId, member, 60);
      const body = { fence: first.fence, leaseSeconds: 3600 };
      const renewed = expectOk(await w.put(claimPath(messageId), body, { as: member }));
      const isLater = Date.parse(renewed.expiresAt) > Date.parse(first.expiresAt);
      expectThat(isLater, 'expected a later expiry');
      expectEqual(renewed.claimId, first.claimId, 'claimId');
    },
  ),
  check('stale', 'A stale fence is `state_conflict` with `reason` `fence`', async (w) => {
    const { messageId, member } = await ask(w);
    await take(w, messageId, member);
    const answer = await w.put(claimPath(messageId), { fence: 7 }, { as: member });
    expectEqual(expectProblem(answer, 409, 'state_conflict').reason, 'fence', 'reason', answer);
  }),
  check('release', 'gives it back', async (w) => {
    const { messageId, member } = await ask(w);
    const { fence } = await take(w, messageId, member);
    expectOk(await w.delete(`${claimPath(messageId)}?fence=${fence}`, { as: member }));
    const { request } = await w.read(`/api/v1/messages/${messageId}`);
    expectEqual([request.state, request.claim], ['open', null], 'request');
  }),
  check('answer', 'posts the answer and ends the claim in one transaction', async (w) => {
    const { id, messageId, member } = await ask(w);
    const { fence } = await take(w, messageId, member);
    const more = { answers: messageId, fence };
    const posted = await postMessage(w, id, member, 'The answer.', more);
    const { request } = await w.read(`/api/v1/messages/${messageId}`);
    expectEqual(request, { state: 'answered', claim: null, answerId: posted.id }, 'request');
  }),
  check('answer-unclaimed', '`answers` without a held claim is `state_conflict`', async (w) => {
    const { id, messageId, member } = await ask(w);
    const body = { body: 'x', answers: messageId, fence: 1 };
    const answer = await w.post(`/api/v1/threads/${id}/messages`, body, { as: member });
    expectProblem(answer, 409, 'state_conflict');
    expectEqual((await w.read(`/api/v1/threads/${id}`)).messageCount, 1, 'messageCount');
  }),
  check('stale-answer', 'nothing is written', async (w) => {
    const { id, messageId, member } = await ask(w);
    await take(w, messageId, member);
    const body = { body: 'x', answers: messageId, fence: 9 };
    const answer = await w.post(`/api/v1/threads/${id}/messages`, body, { as: member });
    expectProblem(answer, 409, 'state_conflict');
    expectEqual((await w.read(`/api/v1/threads/${id}`)).messageCount, 1, 'messageCount');
  }),
  check(
    'next',
    'finds and takes the oldest open requests that the caller may answer',
    async (w) => {
      const room = await createRoom(w, 'public');
      const first = await startThreadIn(w, room, { request: true });
      await startThreadIn(w, room, { request: true });
      const [claim, ...more] = await w.make(
        '/api/v1/claims/next',
        { roomId: room.id },
        room.member,
      );
      expectEqual(more, [], 'what else was taken');
      expectMembers(claim, ['messageId', 'threadId', 'roomId']);
      expectEqual(claim.messageId, first.messageId, 'the oldest request');
    },
  ),
  check('next-own', 'its own left out', async (w) => {
    const room = await createRoom(w, 'public');
    await startThreadIn(w, room, { request: true });
    const found = await w.make('/api/v1/claims/next', { roomId: room.id }, room.owner);
    expectEqual(found, [], 'what the author takes');
  }),
  check('next-needs', '`roomId`, `threadId` or `tag` (one at least)', async (w) => {
    const answer = await w.post('/api/v1/claims/next', {}, { as: await getAgent(w, 'member') });
    expectProblem(answer, 400, 'invalid_request');
  }),
  check('once', 'finds and takes the oldest open requests … in one step', async (w) => {
    const room = await createRoom(w, 'public');
    const reader = await getAgent(w, 'reader');
    await w.make(`/api/v1/rooms/${room.id}/join`, undefined, reader);
    for (let at = 0; at < 4; at += 1) await startThreadIn(w, room, { request: true });
    const taken: Json[][] = await Promise.all(
      [room.member, reader, room.member, reader].map((as) =>
        w.make('/api/v1/claims/next', { roomId: room.id }, as),
      ),
    );
    const ids = taken.flat().map(({ messageId }) => messageId);
    expectEqual(new Set(ids).size, ids.length, 'the number of requests, each taken once');
    expectEqual(ids.length, 4, 'the number of requests taken');
  }),
  check(
    'repeat',
    'Repeating a claim with its idempotency key gives it again while it is held',
    async (w) => {
      const { messageId, member } = await ask(w);
      const idem = randomUUID();
      const claim = () => w.post(claimPath(messageId), { leaseSeconds: 300 }, { as: member, idem });
      const first = expectOk(await claim());
      const second = expectOk(await claim());
      expectEqual([second.claimId, second.fence], [first.claimId, first.fence], 'the claim');
      expectOk(await w.delete(`${claimPath(messageId)}?fence=${first.fence}`, { as: member }));
      expectEqual(expectProblem(await claim(), 409, 'state_conflict').reason, 'lost', 'reason');
    },
  ),
  check('cancel', "the request's author cancels", async (w) => {
    const { messageId, owner, member } = await ask(w);
    const path = `/api/v1/messages/${messageId}/request/cancel`;
    await take(w, messageId, member);
    const cursor = await getEventHead(w, member);
    expectProblem(await w.post(path, undefined, { as: member }), 403, 'forbidden');
    expectOk(await w.post(path, undefined, { as: owner }));
    const { request } = await w.read(`/api/v1/messages/${messageId}`);
    expectEqual(request.state, 'cancelled', 'state');
    const [event] = await readEvents(w, member, cursor, { kind: 'claim_lost' });
    expectThat(event !== undefined, 'expected claim_lost to the former holder');
  }),
  check('mine', '`GET /api/v1/me/claims` +', async (w) => {
    const { messageId, member } = await ask(w);
    await take(w, messageId, member);
    const mine: Json[] = await w.read('/api/v1/me/claims?limit=100', { as: member });
    expectThat(
      mine.some((one) => one.messageId === messageId),
      'expected the claim in the list',
    );
  }),
  check('requests', 'what is `open` (default), oldest first', async (w) => {
    const room = await createRoom(w, 'public');
    const one = await startThreadIn(w, room, { request: true });
    const two = await startThreadIn(w, room, { request: true });
    const path = `/api/v1/requests?roomId=${room.id}`;
    const rows: Json[] = await w.read(path, { as: room.member });
    expectEqual(
      rows.map((row) => row.messageId),
      [one.messageId, two.messageId],
      'the requests',
    );
    const names =
      'messageId threadId threadTitle roomId authorHandle excerpt createdAt state claim';
    expectMembers(rows[0], names.split(' '));
  }),
  check('tombstone', 'a tombstone has `request` null', async (w) => {
    const { messageId, owner } = await ask(w);
    expectOk(await w.delete(`/api/v1/messages/${messageId}`, { as: owner }));
    expectEqual((await w.read(`/api/v1/messages/${messageId}`)).request, null, 'request');
  }),
]);
