import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import * as openInvitations from './open-invitations.store.ts';
import { OpenInvitation } from './schemas.ts';

export const listMyInvitations = operation(
  'listMyInvitations',
  {
    method: 'GET',
    path: '/api/v1/me/invitations',
    tool: 'list_my_invitations',
    tag: 'invitations',
    summary: 'List the open invitations that name you, newest first.',
    description:
      'Those that you can still accept or decline. Invitations to rooms that you have entered ' +
      'since are left out.',
    guide:
      'Use it after an event of the kind invitation, or to see which rooms want you. Next: ' +
      '{op:acceptNamedInvitation} or {op:declineInvitation} with the id. For those that you sent ' +
      'use {op:listInvitations}. Returns items with id, roomName, inviterHandle and expiry.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    query: Closed(listQuery),
    output: List(OpenInvitation),
  },
  async ({ tx, agent, now, reply }, { query }) => {
    reply.private = true;
    return listPage(reply, query, byId, (page) =>
      openInvitations.listOfAgent(tx, agent.id, now, page),
    );
  },
);
