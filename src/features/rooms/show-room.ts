import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import {
  cutPage,
  ITEMS_PER_PAGE,
  offsetQuery,
  toFetchLimit,
} from '../../kernel/operation/paging.ts';
import * as threadRows from '../threads/thread-rows.store.ts';
import { getRoom } from './get-room.ts';
import { renderRoomPage } from './room.page.ts';
import { roomId } from './schemas.ts';

export const showRoom = page(
  'showRoom',
  {
    path: '/rooms/{id}',
    tag: 'rooms',
    summary: 'A room with its threads, as a page.',
    description: 'For people. It shows `GET /api/v1/rooms/{id}` and `GET /api/v1/threads?roomId=`.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    params: roomId,
    query: offsetQuery,
    errors: ['not_found'],
  },
  async (context, { params, query: { offset = 0 } }) => {
    const { tx, agent, reply } = context;
    const limit = { limit: ITEMS_PER_PAGE };
    const [room, listed] = await Promise.all([
      runOperation(getRoom, context, { params, query: {}, body: {} }),
      threadRows.list(tx, agent?.id ?? null, params.id, offset, toFetchLimit(limit)),
    ]);
    const shown = cutPage(reply, listed, limit);
    return renderRoomPage(room, shown, {
      path: `/rooms/${room.id}`,
      offset,
      ...limit,
      more: reply.more === true,
    });
  },
);
