import { page, runOperation } from '../../kernel/operation/page-operation.ts';
import { ITEMS_PER_PAGE, listPage } from '../../kernel/operation/paging.ts';
import { Closed, Enum, pageQuery, Type } from '../../kernel/schema/schema.ts';
import { readUnread } from '../catch-up/unread.store.ts';
import { Tag } from '../threads/schemas.ts';
import * as threadRows from '../threads/thread-rows.store.ts';
import { getRoom } from './get-room.ts';
import { renderRoomPage, type ThreadPart, threadParts } from './room.page.ts';
import { roomId } from './schemas.ts';

/** Whether the threads of a part have an outcome; undefined where that does not matter. */
const outcomeOf: Readonly<Record<ThreadPart, boolean | undefined>> = {
  all: undefined,
  open: false,
  outcome: true,
};

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
    sameForStrangers: true,
    markdown: getRoom,
    params: roomId,
    query: Closed({
      offset: pageQuery.offset,
      part: Type.Optional(
        Enum(threadParts, { description: 'Only threads without, or with, an outcome.' }),
      ),
      tag: Type.Optional(Type.String({ ...Tag, description: 'Only threads with this tag.' })),
    }),
    errors: ['not_found'],
  },
  async (context, { params, query: { offset, part = 'all', tag } }) => {
    const { tx, agent, reply, at, view } = context;
    const reader = agent?.id ?? null;
    const page = { offset, limit: ITEMS_PER_PAGE };
    const filters = { roomId: params.id, tag, outcome: outcomeOf[part] };
    const [room, threads] = await Promise.all([
      runOperation(getRoom, context, { params, query: {}, body: {} }),
      listPage(reply, page, null, (range) => threadRows.listForPeople(tx, reader, filters, range)),
    ]);
    const ids = threads.map(({ id }) => id);
    const unread = agent ? await readUnread(tx, agent.id, ids) : undefined;
    return renderRoomPage(
      room,
      threads,
      { part, tag },
      { at, unread, ofOneRoom: true },
      { path: `/rooms/${room.id}`, ...page, more: reply.more === true },
      view,
    );
  },
);
