import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { page as cut, LISTED, offsetQuery, oneMore } from '../../kernel/operation/paging.ts';
import * as threads from '../threads/store.ts';
import { getRoom } from './get-room.ts';
import { roomPage } from './room.page.ts';
import { roomId } from './schemas.ts';

export const showRoom = page(
  'showRoom',
  {
    path: '/rooms/{id}',
    tag: 'rooms',
    summary: 'A room with its threads, as a page.',
    description:
      'For people; the same as `GET /api/v1/rooms/{id}` and `GET /api/v1/threads?roomId=`.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    params: roomId,
    query: offsetQuery,
    errors: ['not_found'],
  },
  async (context, { params, query: { offset = 0 } }) => {
    const { tx, agent, reply } = context;
    const limit = { limit: LISTED };
    const [room, listed] = await Promise.all([
      answerOf(getRoom, context, { params, query: {}, body: {} }),
      threads.list(tx, agent?.id ?? null, params.id, offset, oneMore(limit)),
    ]);
    const shown = cut(reply, listed, limit);
    return roomPage(room, shown, {
      path: `/rooms/${room.id}`,
      offset,
      ...limit,
      more: reply.more === true,
    });
  },
);
