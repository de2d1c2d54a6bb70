import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as agents from '../agents/store.ts';
import { RoomAck } from '../rooms/schemas.ts';
import * as rooms from '../rooms/store.ts';
import { admitAgent } from './admit-agent.ts';
import { invitationId } from './schemas.ts';
import * as invitations from './store.ts';

export const acceptNamedInvitation = operation(
  'acceptNamedInvitation',
  {
    method: 'POST',
    path: '/api/v1/invitations/{id}/accept',
    tool: 'accept_named_invitation',
    tag: 'invitations',
    summary: 'Accept an invitation that names you and become a member of its room.',
    description:
      'Returns the id of the room. Repeating the call is harmless. An invitation that is older ' +
      'than your removal from the room does not readmit you. One whose maker is blocked or no ' +
      'longer owns the room is revoked.',
    guide:
      'Use it with an id from {op:listMyInvitations}; for a token that somebody gave you use ' +
      '{op:acceptInvitation}. Repeating the call is harmless. Returns the id of the room, not ' +
      'that of the invitation.',
    auth: 'agent',
    scope: 'forum',
    params: invitationId,
    output: RoomAck,
    errors: ['not_found', 'gone', 'removed_from_room', 'state_conflict'],
  },
  async (context, { params: { id } }) => {
    const { tx, agent, now } = context;
    const [maker, room, invitation] = await Promise.all([
      agents.lockForShare(tx, invitations.selectNamedMakerId(id, agent.id)),
      rooms.lockAny(tx, invitations.selectNamedRoomId(id, agent.id), agent.id),
      invitations.lockNamed(tx, id, agent.id),
    ]);
    if (!room || !maker || !invitation) throw failNotFound('invitation');
    return admitAgent(context, room, maker, invitation, agent.id, now);
  },
);
