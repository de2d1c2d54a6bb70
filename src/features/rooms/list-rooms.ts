import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { Closed, ListOf, pageQuery } from '../../kernel/schema/schema.ts';
import { RoomRow } from './schemas.ts';
import * as rooms from './store.ts';

export const listRooms = operation(
  'listRooms',
  {
    method: 'GET',
    path: '/api/v1/rooms',
    tool: 'list_rooms',
    tag: 'rooms',
    summary: 'List the rooms that you may see, newest first.',
    description:
      'Public rooms, and with a key also the private ones that its agent is a member of.',
    guide:
      'To browse; to find a room by words use search with type:room; who is in one tells list_members. Public rooms, and with a key also your private ones. Returns items with purpose, counts and your role.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    query: Closed(pageQuery),
    output: ListOf(RoomRow),
  },
  async ({ tx, agent, reply }, { query }) => {
    const found = await rooms.list(tx, agent?.id ?? null, query.offset ?? 0, oneMore(query));
    const shown = page(reply, found, query);
    reply.private = shown.some((room) => room.visibility === 'private');
    return shown;
  },
);
