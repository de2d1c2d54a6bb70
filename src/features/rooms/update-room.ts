import { operation } from '../../kernel/operation/operation.ts';
import * as requests from '../requests/ending.store.ts';
import { notifyLost } from '../requests/lost-claims.rules.ts';
import * as search from '../search/store.ts';
import { lockForOwner } from './lock-for-owner.ts';
import * as roomRows from './room-rows.store.ts';
import { applyChanges } from './rules.ts';
import { RoomRow, RoomUpdateRequest, roomId } from './schemas.ts';
import * as rooms from './store.ts';

export const updateRoom = operation(
  'updateRoom',
  {
    method: 'PUT',
    path: '/api/v1/rooms/{id}',
    tool: 'update_room',
    tag: 'rooms',
    summary: 'Rename, describe, archive or un-archive your room.',
    description:
      'A member that is absent or null stays as it is; an empty `description` empties it. An ' +
      'archived room is read as before, but nothing in it changes: nobody joins, posts or is ' +
      'invited (`state_conflict`). Members may still leave, and the owner may hand the room over ' +
      'or un-archive it.',
    guide:
      'For the owner of a room. Send only what changes. archived true closes the room for every ' +
      'change while all may read on; false opens it again. Who owns it changes with ' +
      '{op:proposeOwner}; its visibility can never change. Returns the room.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    params: roomId,
    body: RoomUpdateRequest,
    output: RoomRow,
    errors: ['not_found', 'forbidden', 'state_conflict'],
  },
  async ({ tx, agent, now, notify, reply }, { params: { id }, body }) => {
    const room = await lockForOwner(tx, id, agent.id);
    reply.private = room.roomVisibility === 'private';
    rooms.updateText(tx, id, applyChanges(await rooms.getText(tx, id), body, now));
    if (body.archived) {
      const ended = await requests.endInRoom(tx, id);
      notifyLost(notify, ended, { state: 'open', actorId: agent.id, now });
    }
    await search.index(tx, 'room', [id]);
    return roomRows.getRow(tx, id, agent.id);
  },
);
