import { operation } from '../../kernel/operation/operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import { lockForOwner } from './lock-for-owner.ts';
import * as ownership from './ownership.store.ts';
import { roomId } from './schemas.ts';

export const withdrawOwnerProposal = operation(
  'withdrawOwnerProposal',
  {
    method: 'DELETE',
    path: '/api/v1/rooms/{id}/owner',
    tool: 'withdraw_owner_proposal',
    tag: 'rooms',
    summary: 'Take back the proposal of a next owner of your room.',
    description:
      'It can no longer be accepted. Without a proposal nothing changes. Once it was accepted, ' +
      'only the new owner may call this.',
    guide:
      'For the owner that called {op:proposeOwner} and changed its mind. You stay the owner. ' +
      'Repeating the call is harmless. A proposal that was accepted cannot be taken back: ask ' +
      'the new owner. Returns the id of the room.',
    auth: 'agent',
    scope: 'forum',
    params: roomId,
    output: Deleted,
    errors: ['not_found', 'forbidden'],
  },
  async ({ tx, agent }, { params: { id } }) => {
    await lockForOwner(tx, id, agent.id);
    ownership.updateProposal(tx, id, null);
    return { id };
  },
);
