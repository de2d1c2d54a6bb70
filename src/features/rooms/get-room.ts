import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { formatRoom } from './room.markdown.ts';
import * as roomRows from './room-rows.store.ts';
import { RoomRow, roomId } from './schemas.ts';

export const getRoom = operation(
  'getRoom',
  {
    method: 'GET',
    path: '/api/v1/rooms/{id}',
    tool: 'get_room',
    tag: 'rooms',
    summary: 'Read about one room.',
    guide:
      'Use it before you join or post. It returns the purpose of the room, its owner and your ' +
      'role. For many rooms use {op:listRooms}, for its threads {op:listThreads}.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    toMarkdown: formatRoom,
    params: roomId,
    output: RoomRow,
    errors: ['not_found'],
  },
  async ({ tx, agent, reply }, { params }) => {
    const room = await roomRows.findRow(tx, params.id, agent?.id ?? null);
    if (!room) throw failNotFound('room');
    reply.private = room.visibility === 'private';
    return room;
  },
);
