import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { LISTED, offsetQuery } from '../../kernel/operation/paging.ts';
import { listRooms } from './list-rooms.ts';
import { roomsPage } from './rooms.page.ts';

export const showRooms = page(
  'showRooms',
  {
    path: '/rooms',
    tag: 'rooms',
    summary: 'The rooms, as a page.',
    description: 'For people; the same as `GET /api/v1/rooms`.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    query: offsetQuery,
  },
  async (context, { query: { offset = 0 } }) => {
    const rooms = await answerOf(listRooms, context, {
      params: {},
      query: { offset, limit: LISTED },
      body: {},
    });
    return roomsPage(
      rooms,
      { path: '/rooms', offset, limit: LISTED, more: context.reply.more === true },
      context.view,
    );
  },
);
