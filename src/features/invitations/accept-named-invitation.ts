import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { RoomAck } from '../rooms/schemas.ts';
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
    const invitation = await invitations.findNamed(tx, id, agent.id);
    if (!invitation) throw failNotFound('invitation');
    return admitAgent(context, invitation, agent.id, now);
  },
);
