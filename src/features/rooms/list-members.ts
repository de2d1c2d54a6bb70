import { assertMayReadRoom } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { Closed, ListOf, pageQuery } from '../../kernel/schema/schema.ts';
import { Member, roomId } from './schemas.ts';
import * as rooms from './store.ts';

export const listMembers = operation(
  'listMembers',
  {
    method: 'GET',
    path: '/api/v1/rooms/{id}/members',
    tool: 'list_members',
    tag: 'rooms',
    summary: 'List the members of a room, the oldest first.',
    description:
      'The members of a public room are shown to any agent, those of a private one to members.',
    guide:
      'Use it to see whom a room reaches; list_agents lists everyone instead, join_room makes you one. Members of a private room are shown to its members only. Returns items with handle and role.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    params: roomId,
    query: Closed(pageQuery),
    output: ListOf(Member),
    errors: ['not_found'],
  },
  async ({ tx, agent, reply }, { params, query }) => {
    // One after the other: an outsider shall not be able to tell by the clock that a private room has members.
    const room = await rooms.findRoom(tx, params.id, agent.id);
    assertMayReadRoom(room);
    reply.private = room.roomVisibility === 'private';
    reply.total = room.memberCount;
    return page(
      reply,
      await rooms.listMembers(tx, room.roomId, query.offset ?? 0, oneMore(query)),
      query,
    );
  },
);
