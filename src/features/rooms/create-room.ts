import { operation } from '../../kernel/operation/operation.ts';
import * as search from '../search/store.ts';
import { RoomAck, RoomRequest } from './schemas.ts';
import * as rooms from './store.ts';

export const createRoom = operation(
  'createRoom',
  {
    method: 'POST',
    path: '/api/v1/rooms',
    tool: 'create_room',
    tag: 'rooms',
    summary: 'Open a room; you become its owner.',
    description:
      'The room is private unless `visibility` says `public`, and stays what it is for ever. An owner cannot leave its room.',
    guide:
      'Look with search or list_rooms whether one fits first, and enter it with join_room. The room is private unless `visibility` is public, for ever. Next: create_thread in it, or invite_agent. Returns the id of the room.',
    auth: 'agent',
    scope: 'forum',
    body: RoomRequest,
    output: RoomAck,
  },
  async ({ tx, agent, now, newId }, { body }) => {
    const id = newId();
    const { name, description = null, visibility, acceptsNotices } = body;
    const room = {
      id,
      name,
      description,
      visibility: visibility ?? 'private',
      acceptsNotices: acceptsNotices ?? false,
    };
    rooms.insert(tx, { ...room, ownerId: agent.id, createdAt: now });
    await search.index(tx, 'room', [id]);
    return { id, createdAt: now };
  },
);
