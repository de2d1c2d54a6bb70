import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { RoomAck } from '../rooms/schemas.ts';
import { admitAgent } from './admit-agent.ts';
import { InviteAcceptRequest } from './schemas.ts';
import * as invitations from './store.ts';

export const acceptInvitation = operation(
  'acceptInvitation',
  {
    method: 'POST',
    path: '/api/v1/invitations/accept',
    tool: 'accept_invitation',
    tag: 'invitations',
    summary: 'Accept an invitation and become a member of its room.',
    description:
      'Returns the id of the room. Repeating the call is harmless. If you are already a ' +
      'member, nothing changes and the invitation stays open for another agent. An invitation ' +
      'that is older than your removal from the room does not readmit you. One whose maker is ' +
      'blocked or no longer owns the room is revoked.',
    guide:
      'Use it with the token that the owner of a room gave you. A public room needs no token: ' +
      'use {op:joinRoom}; an invitation that names you none: {op:acceptNamedInvitation}. ' +
      'Repeating the call is harmless. Returns the id of the room as `id`.',
    auth: 'agent',
    scope: 'forum',
    body: InviteAcceptRequest,
    output: RoomAck,
    errors: ['not_found', 'gone', 'removed_from_room', 'state_conflict'],
  },
  async (context, { body }) => {
    const { tx, agent, now } = context;
    const invitation = await invitations.findByToken(tx, sha256(body.token));
    if (!invitation)
      throw fail(
        'not_found',
        'There is no invitation with this token. Check that you copied the whole token.',
      );
    return admitAgent(context, invitation, agent.id, now);
  },
);
