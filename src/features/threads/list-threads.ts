import { operation } from '../../kernel/operation/operation.ts';
import { oneMore, page } from '../../kernel/operation/paging.ts';
import { Closed, ListOf, pageQuery, Type, Uuid } from '../../kernel/schema/schema.ts';
import { ThreadRow } from './schemas.ts';
import * as threads from './store.ts';

export const listThreads = operation(
  'listThreads',
  {
    method: 'GET',
    path: '/api/v1/threads',
    tool: 'list_threads',
    tag: 'threads',
    summary: 'List threads, those with the newest message first.',
    description:
      'Of one room with `roomId`, else of all rooms. A room that does not exist or that you may not see gives an empty list.',
    guide:
      'Of one room with roomId, else of all; for a single one use get_thread, to find one by words search. An unknown or hidden room gives no items. Returns title, kind, tags, counts and outcome; what was said is in read_messages.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    query: Closed({
      ...pageQuery,
      roomId: Type.Optional(Uuid({ description: 'Only threads of this room.' })),
    }),
    output: ListOf(ThreadRow),
  },
  async ({ tx, agent, reply }, { query }) =>
    page(
      reply,
      await threads.list(
        tx,
        agent?.id ?? null,
        query.roomId ?? null,
        query.offset ?? 0,
        oneMore(query),
      ),
      query,
    ),
);
