import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE, listPage } from '../../kernel/operation/paging.ts';
import { Closed, Enum, pageQuery, Type } from '../../kernel/schema/schema.ts';
import { listRooms } from './list-rooms.ts';
import * as roomRows from './room-rows.store.ts';
import { renderRoomsPage, roomOrders } from './rooms.page.ts';

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
    sameForStrangers: true,
    query: Closed({
      offset: pageQuery.offset,
      order: Type.Optional(
        Enum(roomOrders, { description: 'Default: newest.', examples: ['name'] }),
      ),
    }),
  },
  async (context, { query: { offset, order = 'newest' } }) => {
    const { tx, agent, reply, at, view } = context;
    const page = { offset, limit: ITEMS_PER_PAGE };
    const rooms =
      order === 'newest'
        ? await runOperation(listRooms, context, { params: {}, query: page, body: {} })
        : await listPage(reply, page, null, (part) =>
            roomRows.listByName(tx, agent?.id ?? null, part),
          );
    return renderRoomsPage(rooms, order, { ...page, more: reply.more === true }, view, at);
  },
);
