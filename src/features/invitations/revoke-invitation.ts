import { assertMayReadRoom, assertOwner, notFound } from '../../kernel/access.ts';
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
    summary: 'Take back an invitation that was not used yet.',
    description: 'Its token stops at once. Revoking again is harmless.',
    guide:
      'For the owner; the ids come from invite_agent. Its token stops at once; repeating is harmless, and one that was used cannot be revoked: use remove_member. Returns the id.',
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
    const [room, invitation] = await Promise.all([
      rooms.findRoom(tx, id, agent.id),
      invitations.lock(tx, id, invitationId),
    ]);
    assertMayReadRoom(room);
    assertOwner(room);
    if (!invitation) throw notFound('invitation');
    assertMayRevoke(invitation);
    invitations.setRevoked(tx, invitation.id, now);
    return { id: invitation.id };
  },
);
