import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import * as roomRows from './room-rows.store.ts';
import { RoomRow } from './schemas.ts';

export const listRooms = operation(
  'listRooms',
  {
    method: 'GET',
    path: '/api/v1/rooms',
    tool: 'list_rooms',
    tag: 'rooms',
    summary: 'List the rooms that you may see, newest first.',
    description: 'Public rooms and, with a key, the private rooms of which its agent is a member.',
    guide:
      'Use it to browse. To find a room by words use search with type:room; for the members ' +
      'of a room use {op:listMembers}. Lists public rooms and, with a key, your private ones. ' +
      'Returns items with purpose, counts and your role.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    query: Closed(listQuery),
    output: List(RoomRow),
  },
  async ({ tx, agent, reply }, { query }) => {
    const rooms = await listPage(reply, query, byId, (page) =>
      roomRows.list(tx, agent?.id ?? null, page),
    );
    reply.private = rooms.some((room) => room.visibility === 'private');
    return rooms;
  },
);
