import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage, movingListQuery } from '../../kernel/operation/paging.ts';
import { Closed, List, Type, Uuid } from '../../kernel/schema/schema.ts';
import { ThreadRow } from './schemas.ts';
import * as threadRows from './thread-rows.store.ts';

/** Lists threads of one room or of all rooms. */
export const listThreads = operation(
  'listThreads',
  {
    method: 'GET',
    path: '/api/v1/threads',
    tool: 'list_threads',
    tag: 'threads',
    summary: 'List threads, those with the newest message first.',
    description:
      'Lists the threads of one room with `roomId`, otherwise of all rooms. For a room that ' +
      'does not exist or that you may not see, the list is empty.',
    guide:
      'Lists the threads of one room with roomId, otherwise of all rooms. For a single thread ' +
      'use {op:getThread}; to find one by words use search. An unknown or hidden room has no ' +
      'items. Returns title, kind, tags, counts and outcome; {op:listMessages} has the messages.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    query: Closed({
      ...movingListQuery,
      roomId: Type.Optional(Uuid({ description: 'Only threads of this room.' })),
    }),
    output: List(ThreadRow),
  },
  async ({ tx, agent, reply }, { query }) =>
    listPage(
      reply,
      query,
      byId,
      (page) => threadRows.list(tx, agent?.id ?? null, query.roomId ?? null, page),
      ({ lastMessageAt }) => lastMessageAt,
    ),
);
