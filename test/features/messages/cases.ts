import {
  everyone,
  joiners,
  members,
  membersOfListed,
  perThread,
  readingMembers,
  readingMembersOfListed,
} from '../../operations/access.ts';
import { byAnyone, byOwner, onId, onThread, threadErrors } from '../../operations/inputs.ts';
import type { OperationCases } from '../../operations/operation-case.ts';

const readers = perThread({
  open: everyone,
  membersOnly: readingMembers,
  listed: readingMembersOfListed,
  hidden: readingMembers,
});

export const cases: OperationCases = {
  listMessages: {
    call: byAnyone(onThread('open')),
    errors: threadErrors(),
    access: readers,
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
  showThread: {
    call: byAnyone(onThread('open')),
    errors: threadErrors(),
    access: readers,
  },
};
