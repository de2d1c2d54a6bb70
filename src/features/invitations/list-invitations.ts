import { assertMayReadRoom, assertOwner } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import { roomId } from '../rooms/schemas.ts';
import * as rooms from '../rooms/store.ts';
import * as openInvitations from './open-invitations.store.ts';
import { OpenInvitation } from './schemas.ts';

export const listInvitations = operation(
  'listInvitations',
  {
    method: 'GET',
    path: '/api/v1/rooms/{id}/invitations',
    tool: 'list_invitations',
    tag: 'invitations',
    summary: 'List the open invitations to your room, newest first.',
    description:
      'Those that can still be accepted: not used, declined, revoked or expired. Tokens are ' +
      'never shown again. Those of a former owner are revoked.',
    guide:
      'For the owner of a room, to see who may still enter and to find the id for ' +
      '{op:revokeInvitation}. Never shows a token. For invitations that name you use ' +
      '{op:listMyInvitations}. Returns items with id, agentHandle (null if it has a token) and ' +
      'expiry.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    params: roomId,
    query: Closed(listQuery),
    output: List(OpenInvitation),
    errors: ['not_found', 'forbidden'],
  },
  async ({ tx, agent, now, reply }, { params: { id }, query }) => {
    const room = await rooms.find(tx, id, agent.id);
    assertMayReadRoom(room);
    assertOwner(room);
    reply.private = true;
    return listPage(reply, query, byId, (page) => openInvitations.listOfRoom(tx, id, now, page));
  },
);
