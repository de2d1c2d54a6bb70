import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE, offsetQuery } from '../../kernel/operation/paging.ts';
import { listRooms } from './list-rooms.ts';
import { renderRoomsPage } from './rooms.page.ts';

export const showRooms = page(
  'showRooms',
  {
    path: '/rooms',
    tag: 'rooms',
    summary: 'The rooms, as a page.',
    description: 'For people. It shows the same as `{op:listRooms}`.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    query: offsetQuery,
  },
  async (context, { query: { offset } }) => {
    const rooms = await runOperation(listRooms, context, {
      params: {},
      query: { offset, limit: ITEMS_PER_PAGE },
      body: {},
    });
    return renderRoomsPage(
      rooms,
      { path: '/rooms', offset, limit: ITEMS_PER_PAGE, more: context.reply.more === true },
      context.view,
    );
  },
);
