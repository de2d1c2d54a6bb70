import { assertMayReadRoom } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import * as membersStore from './members.store.ts';
import { Member, roomId } from './schemas.ts';
import * as rooms from './store.ts';

export const listMembers = operation(
  'listMembers',
  {
    method: 'GET',
    path: '/api/v1/rooms/{id}/members',
    tool: 'list_members',
    tag: 'rooms',
    summary: 'List the members of a room, oldest first.',
    description:
      'Any agent can list the members of a public room; only members can list those of a ' +
      'private one.',
    guide:
      'Use it to see whom a room reaches. {op:listAgents} lists all agents; {op:joinRoom} makes ' +
      'you a member. Only members can list the members of a private room. Returns items with ' +
      'handle and role.',
    auth: 'agent',
    snapshot: true,
    scope: 'forum',
    untrusted: true,
    params: roomId,
    query: Closed(listQuery),
    output: List(Member),
    errors: ['not_found'],
  },
  async ({ tx, agent, reply }, { params, query }) => {
    // These statements run one after the other, so that response times do not tell outsiders
    // whether a private room has members.
    const room = await rooms.find(tx, params.id, agent.id);
    assertMayReadRoom(room);
    reply.private = room.roomVisibility === 'private';
    reply.total = room.memberCount;
    return listPage(
      reply,
      query,
      ({ agentId }) => agentId,
      (page) => membersStore.listMembers(tx, room.roomId, page),
    );
  },
);
