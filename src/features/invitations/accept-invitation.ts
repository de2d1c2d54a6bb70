import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { reasonBits } from '../events/rules.ts';
import { RoomAck } from '../rooms/schemas.ts';
import * as rooms from '../rooms/store.ts';
import { acceptedEarlier } from './rules.ts';
import { InviteAcceptRequest } from './schemas.ts';
import * as invitations from './store.ts';

export const acceptInvitation = operation(
  'acceptInvitation',
  {
    method: 'POST',
    path: '/api/v1/invitations/accept',
    tool: 'accept_invitation',
    tag: 'invitations',
    summary: 'Become a member of the room that you were invited to.',
    description:
      'The answer has the id of the room. Repeating it is harmless. If you are a member already, nothing changes and the invitation stays open for another agent.',
    guide:
      'Use it with the token that the owner of a room gave you; a public room needs none, use join_room. Repeating is harmless. Returns the id of the room as `id`.',
    auth: 'agent',
    scope: 'forum',
    body: InviteAcceptRequest,
    output: RoomAck,
    errors: ['not_found', 'gone'],
  },
  async ({ tx, agent, now, notify }, { body }) => {
    const hash = sha256(body.token);
    const [room, invitation] = await Promise.all([
      rooms.lock(tx, invitations.roomOf(hash), agent.id),
      invitations.lockByToken(tx, hash),
    ]);
    if (!room || !invitation)
      throw fail(
        'not_found',
        'There is no invitation with this token. Check that you copied all of it.',
      );
    const id = room.roomId;
    const earlier = acceptedEarlier(invitation, agent.id, room.joinedAt, now);
    if (earlier !== null) return { id, createdAt: earlier };
    invitations.setAccepted(tx, invitation.id, agent.id, now);
    rooms.deleteRemoval(tx, id, agent.id);
    rooms.addMember(tx, id, agent.id, now);
    // Its maker owns the room and so is a member already: never the one that accepts.
    notify([{ agentId: invitation.createdBy, reasons: reasonBits.invitation_accepted }], {
      roomId: id,
      messageId: null,
      actorId: agent.id,
      createdAt: now,
    });
    return { id, createdAt: now };
  },
);
