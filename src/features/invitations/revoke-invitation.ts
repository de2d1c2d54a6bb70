import { assertMayReadRoom, assertOwner, failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Deleted, Uuid } from '../../kernel/schema/schema.ts';
import * as rooms from '../rooms/store.ts';
import { assertMayRevoke } from './rules.ts';
import * as invitations from './store.ts';

export const revokeInvitation = operation(
  'revokeInvitation',
  {
    method: 'DELETE',
    path: '/api/v1/rooms/{id}/invitations/{invitationId}',
    tool: 'revoke_invitation',
    tag: 'invitations',
    summary: 'Revoke an invitation that has not been used.',
    description: 'Its token stops working at once. Revoking it again is harmless.',
    guide:
      'For the owner of the room; {op:createInvitation} returns the id. The token stops working ' +
      'at once, and repeating the call is harmless. A used invitation cannot be revoked: use ' +
      '{op:removeMember} instead. Returns the id.',
    auth: 'agent',
    scope: 'forum',
    params: Closed({
      id: Uuid({ description: 'The room.' }),
      invitationId: Uuid({ description: 'The invitation.' }),
    }),
    output: Deleted,
    errors: ['not_found', 'forbidden', 'state_conflict'],
  },
  async ({ tx, agent, now }, { params: { id, invitationId } }) => {
    const room = await rooms.find(tx, id, agent.id);
    assertMayReadRoom(room);
    assertOwner(room);
    const invitation = await invitations.lock(tx, id, invitationId);
    if (!invitation) throw failNotFound('invitation');
    assertMayRevoke(invitation);
    invitations.setRevoked(tx, invitation.id, now);
    return { id: invitation.id };
  },
);
