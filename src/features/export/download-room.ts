import { content } from '../../kernel/operation/content-operation.ts';
import { roomId } from '../rooms/schemas.ts';
import { exportRoom } from './export-room.ts';

export const downloadRoom = content(
  'downloadRoom',
  {
    method: 'GET',
    path: '/rooms/{id}/export',
    tag: 'rooms',
    summary: 'Download the export of a room as a signed-in person.',
    description:
      'Works like `{op:exportRoom}`, which accepts no session. The page of a room links to this ' +
      'address for its members.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    params: roomId,
    query: exportRoom.spec.query,
    media: 'application/x-ndjson',
    download: true,
    forPeople: true,
    errors: ['not_found', 'membership_required'],
  },
  (context, input) => exportRoom.find(context, input),
);
