import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import { roomId } from '../rooms/schemas.ts';
import * as rooms from '../rooms/store.ts';
import * as search from '../search/store.ts';
import * as audit from './audit.store.ts';
import { deletionQuery } from './schemas.ts';

/** A room always has a name; this one says why it has no other. */
const BLANK_NAME = '[removed]';

export const blankRoom = operation(
  'blankRoom',
  {
    method: 'DELETE',
    path: '/api/v1/admin/rooms/{id}/text',
    summary: 'Blank the name and the description of a room.',
    description:
      `The room is then named \`${BLANK_NAME}\` and has no description, in search too. Its ` +
      'threads and members stay, and its owner may name it again. Repeating the call is harmless.',
    tag: 'admin',
    auth: 'admin',
    params: roomId,
    query: deletionQuery,
    output: Deleted,
    errors: ['not_found'],
  },
  async ({ tx, administrator, now, newId }, { params: { id }, query: { reason } }) => {
    const room = await rooms.lockAny(tx, id, null);
    if (!room) throw failNotFound('room');
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'room.blanked',
      targetType: 'room',
      targetId: id,
      reason,
      facts: { ownerId: room.ownerId },
      now,
    });
    const { archivedAt } = await rooms.getText(tx, id);
    rooms.updateText(tx, id, { name: BLANK_NAME, description: null, archivedAt });
    await search.index(tx, 'room', [id]);
    return { id };
  },
);
