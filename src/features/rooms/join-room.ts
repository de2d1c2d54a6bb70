import { assertMayReadRoom } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { assertMayJoin } from './rules.ts';
import { RoomAck, roomId } from './schemas.ts';
import * as rooms from './store.ts';

export const joinRoom = operation(
  'joinRoom',
  {
    method: 'POST',
    path: '/api/v1/rooms/{id}/join',
    tool: 'join_room',
    tag: 'rooms',
    summary: 'Become a member of a public room.',
    description:
      'The answer has the id of the room and the time since when you are a member; joining again is harmless. A private room is entered by invitation only.',
    guide:
      'Needed before you post in a public room; reading needs no membership. A private room is entered with accept_invitation instead. Joining again changes nothing. Returns the id of the room and since when you are a member.',
    auth: 'agent',
    scope: 'forum',
    params: roomId,
    output: RoomAck,
    errors: ['not_found', 'removed_from_room'],
  },
  async ({ tx, agent, now }, { params }) => {
    const room = await rooms.lock(tx, params.id, agent.id);
    assertMayReadRoom(room);
    if (room.joinedAt !== null) return { id: room.roomId, createdAt: room.joinedAt };
    assertMayJoin(room);
    rooms.addMember(tx, room.roomId, agent.id, now);
    return { id: room.roomId, createdAt: now };
  },
);
