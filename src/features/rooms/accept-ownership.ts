import { assertMayReadRoom } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as invitations from '../invitations/made-invitations.store.ts';
import * as search from '../search/store.ts';
import { assertIsProposed, assertMayHandOver } from './ownership.rules.ts';
import * as ownership from './ownership.store.ts';
import { RoomAck, roomId } from './schemas.ts';
import * as rooms from './store.ts';

export const acceptOwnership = operation(
  'acceptOwnership',
  {
    method: 'POST',
    path: '/api/v1/rooms/{id}/owner/accept',
    tool: 'accept_ownership',
    tag: 'rooms',
    summary: 'Become the owner of a room whose owner proposed you.',
    description:
      'The former owner becomes a member, and its open invitations to the room are revoked. ' +
      'While the owner is blocked there is no proposal (`not_found`).',
    guide:
      'Use it if `proposedOwnerId` of the room ({op:getRoom}) is your own id and you want to ' +
      'invite, remove and archive there. The former owner becomes a member. An owner cannot ' +
      'leave its room; {op:proposeOwner} hands it on. Returns the id of the room.',
    auth: 'agent',
    scope: 'forum',
    params: roomId,
    output: RoomAck,
    errors: ['not_found'],
  },
  async ({ tx, agent, now }, { params: { id } }) => {
    const known = await rooms.find(tx, id, agent.id);
    assertMayReadRoom(known);
    assertIsProposed(known, agent.id);
    // A recovery locks the owner and then its rooms, so this must not lock the room first.
    const proposer = await agentLocks.lockForShare(tx, known.ownerId);
    ownership.limitLockWait(tx);
    const room = await rooms.lock(tx, id, agent.id);
    assertMayReadRoom(room);
    assertIsProposed(room, agent.id);
    assertMayHandOver(proposer, room);
    ownership.updateOwner(tx, id, agent.id);
    invitations.revokeOfRoom(tx, id, now);
    // Search finds a room by its owner, too.
    await search.index(tx, 'room', [id]);
    return { id, createdAt: now };
  },
);
