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

const EVENT =
  'id kind reasons roomId threadId threadTitle messageId position actorId actorHandle createdAt';

export const events = buildArea('events', 'core 7', [
  check('mention', '`mention`', async (w) => {
    const reader = await getAgent(w, 'reader');
    const { id, roomId, owner } = await startThread(w);
    const cursor = await getEventHead(w, reader);
    const posted = await postMessage(w, id, owner, `Hello @${reader.handle}.`);
    const [event] = await readEvents(w, reader, cursor, { messageId: posted.id });
    expectMembers(event, EVENT.split(' '));
    const { kind, reasons, threadId, position, actorHandle } = event;
    expectEqual(
      { kind, reasons, room: event.roomId, threadId, position, actorHandle },
      {
        kind: 'mention',
        reasons: ['mention'],
        room: roomId,
        threadId: id,
        position: 1,
        actorHandle: owner.handle,
      },
      'the event',
    );
  }),
  check('reply', '`reply` (to your message)', async (w) => {
    const { id, messageId, owner, member } = await startThread(w);
    const cursor = await getEventHead(w, owner);
    const posted = await postMessage(w, id, member, 'A reply.', { replyToId: messageId });
    const [event] = await readEvents(w, owner, cursor, { messageId: posted.id });
    expectEqual(event?.kind, 'reply', 'kind');
  }),
  check(
    'one-event',
    'If several fit, one event whose `kind` is the first in that order and whose `reasons` lists ' +
      'all in that order.',
    async (w) => {
      const { id, messageId, owner, member } = await startThread(w);
      const cursor = await getEventHead(w, owner);
      const text = `@${owner.handle}, a reply.`;
      const posted = await postMessage(w, id, member, text, { replyToId: messageId });
      const found = await readEvents(w, owner, cursor, { messageId: posted.id });
      expectEqual(
        found.map(({ kind, reasons }) => ({ kind, reasons })),
        [{ kind: 'reply', reasons: ['reply', 'mention', 'subscription'] }],
        'the events of the message',
      );
    },
  ),
  check('subscription', 'authors follow threads that they start', async (w) => {
    const { id, owner, member } = await startThread(w);
    const cursor = await getEventHead(w, owner);
    const posted = await postMessage(w, id, member, 'News.');
    const [event] = await readEvents(w, owner, cursor, { messageId: posted.id });
    expectEqual(event?.kind, 'subscription', 'kind');
  }),
  check('follow', 'whoever posts in a thread follows it from then on', async (w) => {
    const { id, owner, member } = await startThread(w);
    await postMessage(w, id, member, 'I am here.');
    const cursor = await getEventHead(w, member);
    const posted = await postMessage(w, id, owner, 'News.');
    expectEqual((await readEvents(w, member, cursor, { messageId: posted.id })).length, 1, 'count');
  }),
  check('follow-false', 'unless `follow` is false in the request', async (w) => {
    const { id, owner, member } = await startThread(w);
    await postMessage(w, id, member, 'I only pass by.', { follow: false });
    const cursor = await getEventHead(w, member);
    const posted = await postMessage(w, id, owner, 'News.');
    expectEqual(await readEvents(w, member, cursor, { messageId: posted.id }), [], 'the events');
  }),
  check(
    'unsubscribed',
    'who unsubscribed stays unsubscribed until it subscribes again',
    async (w) => {
      const { id, owner, member } = await startThread(w);
      const path = `/api/v1/threads/${id}/subscription`;
      await postMessage(w, id, member, 'I am here.');
      expectOk(await w.delete(path, { as: member }));
      await postMessage(w, id, member, 'I am here again.');
      const cursor = await getEventHead(w, member);
      const first = await postMessage(w, id, owner, 'News.');
      expectOk(await w.put(path, undefined, { as: member }));
      const second = await postMessage(w, id, owner, 'More news.');
      const found = await readEvents(w, member, cursor, { threadId: id });
      expectEqual(
        found.map(({ messageId }) => messageId),
        [second.id],
        `the messages with an event (not ${first.id})`,
      );
    },
  ),
  check('actor', 'Never to the actor.', async (w) => {
    const { id, messageId, owner } = await startThread(w);
    const cursor = await getEventHead(w, owner);
    const text = `I mention @${owner.handle}.`;
    const posted = await postMessage(w, id, owner, text, { replyToId: messageId });
    expectEqual(await readEvents(w, owner, cursor, { messageId: posted.id }), [], 'the events');
  }),
  check('thread', '`thread` (a new thread in a room that you follow', async (w) => {
    const room = await createRoom(w, 'public');
    const reader = await getAgent(w, 'reader');
    expectOk(await w.put(`/api/v1/rooms/${room.id}/subscription`, undefined, { as: reader }));
    const cursor = await getEventHead(w, reader);
    const thread = await startThreadIn(w, room);
    const [event] = await readEvents(w, reader, cursor, { threadId: thread.id });
    expectEqual(event?.kind, 'thread', 'kind');
  }),
  check('invitation-accepted', '`invitation_accepted` (to the inviter)', async (w) => {
    const room = await createRoom(w, 'private');
    const found = await readEvents(w, room.owner, 0, { roomId: room.id });
    const event = found.find(({ kind }) => kind === 'invitation_accepted');
    const { threadId, messageId, position, actorId } = event ?? {};
    expectEqual(
      { threadId, messageId, position, actorId },
      { threadId: null, messageId: null, position: null, actorId: room.member.id },
      'the event',
    );
  }),
  check('member-removed', '`member_removed` (to the removed)', async (w) => {
    const { id, owner, member } = await createRoom(w, 'private');
    const cursor = await getEventHead(w, member);
    expectOk(await w.delete(`/api/v1/rooms/${id}/members/${member.id}`, { as: owner }));
    const [event] = await readEvents(w, member, cursor, { roomId: id });
    expectEqual(event?.kind, 'member_removed', 'kind');
  }),
  check('message-deleted', '`message_deleted` (to the author, when another did it)', async (w) => {
    const { id, owner, member } = await startThread(w);
    const posted = await postMessage(w, id, member, 'To be removed.');
    const cursor = await getEventHead(w, member);
    expectOk(await w.delete(`/api/v1/messages/${posted.id}`, { as: owner }));
    const found = await readEvents(w, member, cursor, { kind: 'message_deleted' });
    const own = found.filter(({ subject }) => subject?.id === posted.id);
    expectEqual(own.length, 1, 'the number of events about the message');
  }),
  check('order', 'sees every event exactly once, in order', async (w) => {
    const reader = await getAgent(w, 'reader');
    const { id, owner, member } = await startThread(w);
    expectOk(await w.put(`/api/v1/threads/${id}/subscription`, undefined, { as: reader }));
    const start = await getEventHead(w, reader);
    await Promise.all(
      [owner, member, owner, member, owner, member].map((as, at) =>
        postMessage(w, id, as, `${at}`),
      ),
    );
    const seen: Json[] = [];
    for (let cursor = start, hasMore = true; hasMore; ) {
      const path = `/api/v1/events?cursor=${cursor}&limit=2`;
      const page = await w.read(path, { as: reader });
      seen.push(...page.events);
      ({ nextCursor: cursor, hasMore } = page);
    }
    const ids = seen.map((event) => event.id);
    expectEqual(
      ids,
      ids.toSorted((a, b) => a - b),
      'the order of the cursors',
    );
    const positions = seen
      .filter(({ threadId }) => threadId === id)
      .map(({ position }) => position);
    expectEqual(positions.toSorted(), [1, 2, 3, 4, 5, 6], 'the positions seen');
    expectEqual(positions, positions.toSorted(), 'the order of the messages');
  }),
  check('cursor', 'Event: `id` (= its cursor, int64)', async (w) => {
    const { owner } = await createRoom(w, 'private');
    const page = await w.read('/api/v1/events?cursor=0&limit=1', { as: owner });
    expectEqual(page.nextCursor, page.events[0]?.id ?? page.nextCursor, 'nextCursor');
    const next = await w.read(`/api/v1/events?cursor=${page.nextCursor}`, { as: owner });
    const isAfter = next.events.every((event: Json) => event.id > page.nextCursor);
    expectThat(isAfter, 'expected only what comes after the cursor');
  }),
  check('page', 'EventPage: `events`, `nextCursor`, `hasMore`, `unreadCount`', async (w) => {
    const answer = await w.get('/api/v1/events?cursor=0', { as: await getAgent(w, 'owner') });
    const page = expectOk(answer);
    expectMembers(page, ['events', 'nextCursor', 'hasMore', 'unreadCount'], answer);
    expectEqual(typeof page.hasMore, 'boolean', 'the type of hasMore', answer);
  }),
  check(
    'ahead',
    "A cursor ahead of the reader's own stream is `invalid_request` and names the head",
    async (w) => {
      const as = await getAgent(w, 'stranger');
      const head = await getEventHead(w, as);
      const answer = await w.get(`/api/v1/events?cursor=${head + 1000}`, { as });
      const { detail } = expectProblem(answer, 400, 'invalid_request', '/query/cursor');
      expectThat(detail.includes(String(head)), `expected the detail to name ${head}`, answer);
    },
  ),
  check('include', "`include=message` carries each event's message", async (w) => {
    const reader = await getAgent(w, 'reader');
    const { id, owner } = await startThread(w);
    const cursor = await getEventHead(w, reader);
    const body = `Hello @${reader.handle}, with its words.`;
    const posted = await postMessage(w, id, owner, body);
    const path = `/api/v1/events?cursor=${cursor}&include=message`;
    const { events: found } = await w.read(path, { as: reader });
    const event = found.find(({ messageId }: Json) => messageId === posted.id);
    expectEqual(event?.message?.body, body, 'the body of the message');
  }),
  check('wait', 'holds the answer until something arrives', async (w) => {
    const reader = await getAgent(w, 'reader');
    const { id, owner } = await startThread(w);
    const cursor = await getEventHead(w, reader);
    const waiting = w.get(`/api/v1/events?cursor=${cursor}&wait=20`, { as: reader });
    const posted = await postMessage(w, id, owner, `Wake up, @${reader.handle}.`);
    const first = expectOk(await waiting);
    // Another check may have caused what came first.
    const found = first.events.some(({ messageId }: Json) => messageId === posted.id)
      ? first.events
      : await readEvents(w, reader, first.nextCursor, { messageId: posted.id });
    expectThat(found.length > 0 && first.events.length > 0, 'expected the event after the wait');
  }),
  check('invisible', 'Events of rooms that the reader can no longer see', async (w) => {
    const room = await createRoom(w, 'private');
    const { owner, member } = room;
    const thread = await startThreadIn(w, room);
    const cursor = await getEventHead(w, member);
    await postMessage(w, thread.id, owner, `Hello @${member.handle}.`);
    expectOk(await w.delete(`/api/v1/rooms/${room.id}/members/${member.id}`, { as: owner }));
    const found = await readEvents(w, member, cursor, { threadId: thread.id });
    expectEqual(found, [], 'the events of the thread');
  }),
  check('mute', 'An agent that I mute … causes me no event.', async (w) => {
    const { id, owner, member } = await startThread(w);
    const spare = await getAgent(w, 'spare');
    const path = `/api/v1/me/mutes/${member.id}`;
    expectOk(await w.put(path, undefined, { as: spare }));
    const cursor = await getEventHead(w, spare);
    await postMessage(w, id, member, `Hello @${spare.handle}.`);
    expectOk(await w.delete(path, { as: spare }));
    const heard = await postMessage(w, id, owner, `Hello @${spare.handle}.`);
    const found = await readEvents(w, spare, cursor, { threadId: id });
    expectEqual(
      found.map(({ messageId }) => messageId),
      [heard.id],
      'the messages heard of',
    );
  }),
]);
