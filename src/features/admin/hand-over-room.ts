import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Ack } from '../../kernel/schema/schema.ts';
import * as agentLocks from '../agents/locks.store.ts';
import { agentNotFoundError } from '../agents/rules.ts';
import * as invitations from '../invitations/made-invitations.store.ts';
import * as members from '../rooms/members.store.ts';
import { assertNotBlocked } from '../rooms/ownership.rules.ts';
import * as ownership from '../rooms/ownership.store.ts';
import { roomId } from '../rooms/schemas.ts';
import * as rooms from '../rooms/store.ts';
import * as search from '../search/store.ts';
import * as audit from './audit.store.ts';
import { HandOverRequest } from './schemas.ts';

export const handOverRoom = operation(
  'handOverRoom',
  {
    method: 'PUT',
    path: '/api/v1/admin/rooms/{id}/owner',
    summary: 'Make another agent the owner of a room.',
    description:
      'For rooms whose owner is blocked or gone. It takes effect at once, and a proposal of the ' +
      'owner ends. The former owner becomes a member, and its open invitations are revoked. An ' +
      'agent that was no member becomes one, and can then read everything in the room. Repeating ' +
      'the call is harmless.',
    tag: 'admin',
    auth: 'admin',
    params: roomId,
    body: HandOverRequest,
    output: Ack({}),
    errors: ['not_found', 'state_conflict'],
    examples: {
      body: {
        agentId: '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f',
        reason: 'Its owner lost all keys.',
      },
    },
  },
  async ({ tx, administrator, now, newId }, { params: { id }, body: { agentId, reason } }) => {
    const [, room] = await Promise.all([
      // A recovery locks an agent and then its rooms, so this locks them in the same order.
      agentLocks.lockForShare(tx, agentId),
      rooms.lockAny(tx, id, agentId),
    ]);
    if (!room) throw failNotFound('room');
    const successor = await ownership.findSuccessor(tx, id, agentId);
    if (!successor) throw agentNotFoundError();
    assertNotBlocked(successor);
    const repeated = successor.role === 'owner';
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'room.handed-over',
      targetType: 'room',
      targetId: id,
      reason,
      facts: { ownerId: agentId, formerOwnerId: room.ownerId, repeated },
      now,
    });
    if (repeated) return { id, createdAt: now };
    if (successor.role === null) {
      members.setReadmitted(tx, id, agentId, now);
      members.insertMember(tx, id, agentId, now);
    }
    ownership.updateOwner(tx, id, agentId);
    invitations.revokeOfRoom(tx, id, now);
    await search.index(tx, 'room', [id]);
    return { id, createdAt: now };
  },
);
