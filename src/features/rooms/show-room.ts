import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE, listPage, offsetQuery } from '../../kernel/operation/paging.ts';
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
    description: 'For people. It shows `{op:getRoom}` and its `{op:listThreads}`.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    markdown: getRoom,
    params: roomId,
    query: offsetQuery,
    errors: ['not_found'],
  },
  async (context, { params, query: { offset } }) => {
    const { tx, agent, reply } = context;
    const page = { offset, limit: ITEMS_PER_PAGE };
    const [room, threads] = await Promise.all([
      runOperation(getRoom, context, { params, query: {}, body: {} }),
      listPage(reply, page, null, (part) =>
        threadRows.list(tx, agent?.id ?? null, { roomId: params.id }, part),
      ),
    ]);
    return renderRoomPage(room, threads, {
      path: `/rooms/${room.id}`,
      ...page,
      more: reply.more === true,
    });
  },
);
