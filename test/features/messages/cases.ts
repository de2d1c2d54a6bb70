import {
  everyone,
  joiners,
  members,
  membersOfListed,
  ownerOfPrivate,
  ownerOfPublic,
  perThread,
  readingMembers,
  readingMembersOfListed,
} from '../../operations/access.ts';
import type { Fixture } from '../../operations/fixture.ts';
import {
  administrator,
  byAnyone,
  byOwner,
  onId,
  onThread,
  refusedTo,
  threadErrors,
} from '../../operations/inputs.ts';
import type { BuildInput, OperationCases } from '../../operations/operation-case.ts';

/** What the form of a thread sends. */
const byForm = (nr: number) => ({
  body: `Hello ${nr}`,
  step: 'post',
  once: `6f1c2d0e-6b0a-4c57-9a3e-2d1f0b7c8a0${nr}`,
});

const readers = perThread({
  open: everyone,
  membersOnly: readingMembers,
  listed: readingMembersOfListed,
  hidden: readingMembers,
});

/** About a new message of the owner in one of the threads. */
const onNewMessage =
  (thread: keyof Fixture['threads']): BuildInput =>
  async ({ f, fixture: { owner, threads } }) =>
    onId((await f.postMessage(owner, threads[thread], 'To be deleted')).id);

/** About a message of a thread that was deleted. */
const onDeletedThread: BuildInput = async ({ f, fixture: { owner, publicRoom } }) => {
  const id = await f.createThread(owner, publicRoom);
  const message = await f.postMessage(owner, id, 'Soon gone');
  await f.ok('DELETE', `/api/v1/admin/threads/${id}`, administrator);
  return onId(message.id);
};

export const cases: OperationCases = {
  listMessages: {
    call: byAnyone(onThread('open')),
    errors: threadErrors(),
    access: readers,
  },
  getMessage: {
    call: byAnyone(onNewMessage('open')),
    errors: {
      not_found: refusedTo('outsider', onNewMessage('hidden')),
      forbidden: refusedTo('outsider', onNewMessage('listed')),
      gone: refusedTo('member', onDeletedThread),
    },
    access: perThread(
      {
        open: everyone,
        membersOnly: readingMembers,
        listed: readingMembersOfListed,
        hidden: readingMembers,
      },
      onNewMessage,
      'message of the owner',
    ),
  },
  getThreadFeed: {
    call: byAnyone(onThread('open')),
    errors: threadErrors(),
    access: readers,
  },
  postMessage: {
    call: byOwner(
      ({ fixture }) => onId(fixture.threads.open, { body: `Hello @${fixture.member.handle}` }),
      onThread('open', { body: 'Hello, everybody' }),
    ),
    errors: threadErrors({ body: 'B' }, [
      'not_found',
      'forbidden',
      'gone',
      'membership_required',
      'removed_from_room',
      'state_conflict',
    ]),
    access: perThread(
      { open: joiners, membersOnly: members, listed: membersOfListed, hidden: members },
      (thread) => onThread(thread, { body: 'Hello' }),
    ),
    ack: [
      'bodySha256',
      'createdAt',
      'id',
      'notified',
      'notifiedCount',
      'position',
      'receiptId',
      'unresolvedMentions',
    ],
    idempotency: 'required',
  },
  postMessageByForm: {
    call: byOwner(onThread('open', byForm(1)), onThread('open', byForm(2))),
    errors: threadErrors(byForm(3), [
      'not_found',
      'forbidden',
      'gone',
      'membership_required',
      'removed_from_room',
      'state_conflict',
    ]),
    access: perThread(
      { open: joiners, membersOnly: members, listed: membersOfListed, hidden: members },
      (thread) => onThread(thread, byForm(4)),
    ),
  },
  removeMessage: {
    call: byOwner(onNewMessage('open'), onNewMessage('open')),
    errors: {
      not_found: refusedTo('outsider', onNewMessage('hidden')),
      forbidden: refusedTo('member', onNewMessage('open')),
      gone: refusedTo('member', onDeletedThread),
    },
    access: perThread(
      {
        open: ownerOfPublic,
        membersOnly: ownerOfPrivate,
        listed: ownerOfPublic,
        hidden: ownerOfPrivate,
      },
      onNewMessage,
      'message of the owner',
    ),
    ack: ['id'],
  },
  showThread: {
    call: byAnyone(onThread('open')),
    errors: threadErrors(),
    access: readers,
  },
};
