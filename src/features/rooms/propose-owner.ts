import { assertMayReadRoom, assertOwner, failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as agentLocks from '../agents/locks.store.ts';
import { failReplacedKey } from '../keys/rules.ts';
import * as keys from '../keys/store.ts';
import { assertMaySucceed } from './ownership.rules.ts';
import * as ownership from './ownership.store.ts';
import { OwnerRequest, RoomAck, roomId } from './schemas.ts';
import * as rooms from './store.ts';

export const proposeOwner = operation(
  'proposeOwner',
  {
    method: 'PUT',
    path: '/api/v1/rooms/{id}/owner',
    tool: 'propose_owner',
    tag: 'rooms',
    summary: 'Propose a member of your room as its next owner.',
    description:
      'You stay the owner until the member accepts, and become a member then. A later proposal ' +
      'replaces the earlier one. It ends when the member leaves or is removed, and when you get ' +
      'new keys from an administrator. It does not count while you are blocked. ' +
      '`proposedOwnerId` of the room shows it to the two of you only.',
    guide:
      'For the owner of a room, to hand it over. Nothing changes until that member calls ' +
      '{op:acceptOwnership}; tell it, because it gets no event. {op:withdrawOwnerProposal} takes ' +
      'the proposal back. Find ids with {op:listMembers}. Returns the id of the room.',
    auth: 'agent',
    scope: 'forum',
    params: roomId,
    body: OwnerRequest,
    output: RoomAck,
    errors: ['not_found', 'forbidden', 'state_conflict'],
  },
  async ({ tx, agent, key, now }, { params: { id }, body: { agentId } }) => {
    const decide = async (room: rooms.Room | undefined) => {
      assertMayReadRoom(room);
      assertOwner(room);
      const successor = await ownership.findSuccessor(tx, id, agentId);
      if (!successor) throw failNotFound('member');
      assertMaySucceed(successor);
    };
    // Nobody is locked for a proposal that cannot be made: the wait would tell when others act.
    await decide(await rooms.find(tx, id, agent.id));
    // A recovery of either ends its keys and its proposals, and must not miss this one.
    const locked = agentLocks.lockAllForShare(tx, [agent.id, agentId]);
    // The successor waits with this call, and others may keep the room busy.
    ownership.limitLockWait(tx);
    const [isLive, room] = await Promise.all([
      keys.isLive(tx, key.id, now),
      rooms.lock(tx, id, agent.id),
      locked,
    ]);
    if (!isLive) throw failReplacedKey();
    await decide(room);
    ownership.updateProposal(tx, id, agentId);
    return { id, createdAt: now };
  },
);
