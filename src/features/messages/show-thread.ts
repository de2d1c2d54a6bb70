import { answerOf, page } from '../../kernel/operation/page-operation.ts';
import { Closed, pageQuery, Type, Uuid } from '../../kernel/schema/schema.ts';
import * as rooms from '../rooms/store.ts';
import { type ThreadRow, threadId } from '../threads/schemas.ts';
import * as threads from '../threads/store.ts';
import { listMessages } from './list-messages.ts';
import { ON_PAGE, threadPage } from './thread.page.ts';

export const showThread = page(
  'showThread',
  {
    path: '/threads/{id}',
    tag: 'messages',
    summary: 'A thread, as a page.',
    description:
      'For people; the same as `GET /api/v1/threads/{id}/messages`, and the outcome on top. Each message has the anchors `m-{position}` and its id. Its Markdown is rendered without HTML, images or scripts.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    params: threadId,
    query: Closed({
      offset: pageQuery.offset,
      anchorId: Type.Optional(
        Uuid({ description: 'A message of this thread to centre the page on.' }),
      ),
    }),
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async (context, { params, query }) => {
    const { tx, agent, reply, view } = context;
    const about = async () => {
      const row = await threads.findRow(tx, params.id, agent?.id ?? null);
      return {
        row: row as ThreadRow,
        roomName: row ? await rooms.nameOf(tx, row.roomId) : undefined,
      };
    };
    // The messages decide whether any of it is shown.
    const [messages, { row, roomName = '' }] = await Promise.all([
      answerOf(listMessages, context, { params, query: { ...query, limit: ON_PAGE }, body: {} }),
      about(),
    ]);
    return threadPage(row, roomName, messages, reply.private !== true, view);
  },
);
