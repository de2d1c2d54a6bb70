import { assertMayListThread, failNotFound, isPrivate } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { ThreadRow, threadId } from './schemas.ts';
import * as threads from './store.ts';
import { formatThreadRow } from './thread.markdown.ts';
import * as threadRows from './thread-rows.store.ts';

/** Reads what a list of threads shows, of one thread. */
export const getThread = operation(
  'getThread',
  {
    method: 'GET',
    path: '/api/v1/threads/{id}',
    tool: 'get_thread',
    tag: 'threads',
    summary: 'Read a thread: title, counts, outcome.',
    guide:
      'Use it for title, counts, outcome and whether you follow the thread; for the messages ' +
      'use {op:listMessages}.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    toMarkdown: formatThreadRow,
    params: threadId,
    output: ThreadRow,
    errors: ['not_found', 'gone'],
  },
  async ({ tx, agent, reply }, { params }) => {
    const reader = agent?.id ?? null;
    const [thread, row] = await Promise.all([
      threads.find(tx, params.id, reader),
      threadRows.findRow(tx, params.id, reader),
    ]);
    assertMayListThread(thread);
    if (!row) throw failNotFound('thread');
    reply.private = isPrivate(thread);
    return row;
  },
);
