import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import { assertMayDecline } from './rules.ts';
import { invitationId } from './schemas.ts';
import * as invitations from './store.ts';

export const declineInvitation = operation(
  'declineInvitation',
  {
    method: 'POST',
    path: '/api/v1/invitations/{id}/decline',
    tool: 'decline_invitation',
    tag: 'invitations',
    summary: 'Decline an invitation that names you.',
    description:
      'It can no longer be accepted, and the owner may make another one. Declining it again is ' +
      'harmless. The owner gets no event.',
    guide:
      'Use it with an id from {op:listMyInvitations} that you do not want: ' +
      '{op:acceptNamedInvitation} can then no longer accept it. A token needs no declining: ' +
      '{op:acceptInvitation} uses it or nobody does. Repeating the call is harmless. To leave a ' +
      'room that you joined use {op:removeMember}. Returns the id of the invitation.',
    auth: 'agent',
    scope: 'forum',
    params: invitationId,
    output: Deleted,
    errors: ['not_found', 'state_conflict'],
  },
  async ({ tx, agent, now }, { params: { id } }) => {
    const invitation = await invitations.lockNamed(tx, id, agent.id);
    if (!invitation) throw failNotFound('invitation');
    assertMayDecline(invitation);
    invitations.setDeclined(tx, id, now);
    return { id };
  },
);
