import { randomUUID } from 'node:crypto';
import {
  agents,
  everyone,
  joiners,
  members,
  membersOfListed,
  ownerOfPrivate,
  ownerOfPublic,
  perRoom,
  perThread,
  readingMembers,
  readingMembersOfListed,
} from '../../operations/access.ts';
import {
  asAgent,
  byAnyone,
  byOwner,
  fromOtherSite,
  inArchivedRoom,
  nowhere,
  onId,
  onRoom,
  onThread,
  readFromFirst,
  refusedTo,
  threadErrors,
} from '../../operations/inputs.ts';
import type { MakeErrorCase, OperationCases } from '../../operations/operation-case.ts';

const start = { title: 'T', body: 'B' };

/** What the form of a room sends. */
const byForm = () => ({ ...start, tags: 'parser, release', step: 'post', once: randomUUID() });

const followers = perThread({
  open: agents,
  membersOnly: members,
  listed: membersOfListed,
  hidden: members,
});

/** A summary by the author of a thread, after somebody ended its membership. */
const summariseAfterExit =
  (by: 'owner' | 'itself', more: object = {}): MakeErrorCase =>
  async ({ f, fixture: { owner, publicRoom } }) => {
    const author = await f.createAgent();
    await f.joinRoom(author, publicRoom);
    const id = await f.createThread(author, publicRoom);
    await f.ok(
      'DELETE',
      `/api/v1/rooms/${publicRoom}/members/${author.id}`,
      asAgent(by === 'owner' ? owner : author),
    );
    return { input: onId(id, { summary: 'S', ...more }), as: asAgent(author) };
  };

export const cases: OperationCases = {
  listThreads: {
    call: byAnyone(),
    access: everyone,
    list: {
      order: ['lastMessageAt', 'id'],
      arrange: ({ f, owner, room }) => ({
        input: { query: { roomId: room } },
        createRow: () => f.createThread(owner, room),
      }),
    },
  },
  createThread: {
    call: byOwner(onRoom('publicRoom', start), onRoom('publicRoom', { title: 'U', body: 'B' })),
    errors: {
      not_found: refusedTo('outsider', () => onId(nowhere, start)),
      membership_required: refusedTo('outsider', onRoom('publicRoom', start)),
      removed_from_room: refusedTo('removed', onRoom('publicRoom', start)),
      state_conflict: inArchivedRoom(start),
    },
    access: perRoom({ publicRoom: joiners, privateRoom: members }, (room) => onRoom(room, start)),
    ack: [
      'createdAt',
      'id',
      'messageId',
      'notified',
      'notifiedCount',
      'receiptId',
      'roomId',
      'unresolvedMentions',
    ],
    idempotency: 'required',
    names: { title: readFromFirst('title', '/api/v1/threads') },
  },
  createThreadByForm: {
    call: byOwner(
      (setup) => onRoom('publicRoom', byForm())(setup),
      (setup) => onRoom('publicRoom', byForm())(setup),
    ),
    errors: {
      not_found: refusedTo('outsider', () => onId(nowhere, byForm())),
      membership_required: refusedTo('outsider', onRoom('publicRoom', byForm())),
      removed_from_room: refusedTo('removed', onRoom('publicRoom', byForm())),
      state_conflict: inArchivedRoom(byForm()),
      forbidden: fromOtherSite(onId(nowhere, byForm())),
    },
    access: perRoom(
      { publicRoom: joiners, privateRoom: members },
      (room) => (setup) => onRoom(room, byForm())(setup),
    ),
  },
  getThread: {
    call: byAnyone(onThread('open')),
    errors: threadErrors(undefined, ['not_found', 'gone']),
    access: perThread({
      open: everyone,
      membersOnly: readingMembers,
      listed: everyone,
      hidden: readingMembers,
    }),
  },
  getThreadMarkdown: {
    call: byAnyone(onThread('open')),
    errors: threadErrors(),
    access: perThread({
      open: everyone,
      membersOnly: readingMembers,
      listed: readingMembersOfListed,
      hidden: readingMembers,
    }),
  },
  getSitemap: { call: byAnyone(), access: everyone },
  setSummary: {
    call: byOwner(
      async (setup) => {
        const { f, fixture } = setup;
        const { id } = await f.postMessage(fixture.owner, fixture.threads.open, 'So it is.');
        return onId(fixture.threads.open, { summary: 'So', messageIds: [id] });
      },
      onThread('open', { summary: 'Or so' }),
    ),
    errors: {
      ...threadErrors({ summary: 'S' }, ['not_found', 'forbidden', 'gone', 'state_conflict']),
      membership_required: summariseAfterExit('itself'),
      removed_from_room: summariseAfterExit('owner'),
    },
    access: perThread(
      {
        open: ownerOfPublic,
        membersOnly: ownerOfPrivate,
        listed: ownerOfPublic,
        hidden: ownerOfPrivate,
      },
      (thread) => onThread(thread, { summary: 'S' }),
    ),
    ack: ['createdAt', 'id'],
    spoilsFixture: true,
  },
  setSummaryByForm: {
    call: byOwner(
      onThread('open', { summary: 'So', messages: '#0', once: randomUUID() }),
      onThread('open', { summary: 'Or so', once: randomUUID() }),
    ),
    errors: {
      ...threadErrors({ summary: 'S', once: randomUUID() }, [
        'not_found',
        'forbidden',
        'gone',
        'state_conflict',
      ]),
      membership_required: summariseAfterExit('itself', { once: randomUUID() }),
      removed_from_room: summariseAfterExit('owner', { once: randomUUID() }),
    },
    access: perThread(
      {
        open: ownerOfPublic,
        membersOnly: ownerOfPrivate,
        listed: ownerOfPublic,
        hidden: ownerOfPrivate,
      },
      (thread) => (setup) => onThread(thread, { summary: 'S', once: randomUUID() })(setup),
    ),
    spoilsFixture: true,
  },
  subscribeThread: {
    call: byOwner(onThread('open'), onThread('hidden')),
    errors: threadErrors(),
    access: followers,
    ack: ['createdAt', 'id'],
    spoilsFixture: true,
  },
  unsubscribeThread: {
    call: byOwner(onThread('open'), onThread('hidden')),
    errors: threadErrors(),
    access: followers,
    ack: ['id'],
    spoilsFixture: true,
  },
};
