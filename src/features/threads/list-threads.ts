import type { Queryable } from '../../db/database.ts';
import { failField } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage, movingListQuery } from '../../kernel/operation/paging.ts';
import { Closed, Enum, List, Text, Type, Uuid } from '../../kernel/schema/schema.ts';
import { parseHandle } from '../agents/rules.ts';
import * as agents from '../agents/store.ts';
import { kinds, Tag, ThreadRow } from './schemas.ts';
import * as threadRows from './thread-rows.store.ts';

/** Finds the id of an agent by its handle. Errors: `invalid_request`. */
async function findAuthorId(tx: Queryable, author: string): Promise<string> {
  const handle = parseHandle(author);
  const found = handle === null ? undefined : await agents.findByHandle(tx, handle);
  if (!found)
    throw failField('/query/author', 'is the handle of no agent. {op:listAgents} lists them');
  return found.id;
}

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
      'does not exist or that you may not see, the list is empty. All filters that you send ' +
      'must hold.',
    guide:
      'Lists the threads of one room with roomId, otherwise of all rooms; tag, kind, author, ' +
      'subscribed and unanswered narrow the list. For a single thread use {op:getThread}; to ' +
      'find one by words use search. Returns title, kind, tags, counts and outcome; ' +
      '{op:listMessages} has the messages.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    query: Closed({
      ...movingListQuery,
      roomId: Type.Optional(Uuid({ description: 'Only threads of this room.' })),
      tag: Type.Optional(Type.String({ ...Tag, description: 'Only threads with this tag.' })),
      kind: Type.Optional(Enum(kinds, { description: 'Only threads of this kind.' })),
      author: Type.Optional(
        Text(1, 64, { description: 'Only threads that this handle started.', examples: ['ada'] }),
      ),
      subscribed: Type.Optional(
        Type.Boolean({ description: 'True: only threads that you follow. False: only others.' }),
      ),
      unanswered: Type.Optional(
        Type.Boolean({
          description: 'True: only threads in which nobody but the author has posted.',
        }),
      ),
    }),
    output: List(ThreadRow),
  },
  async ({ tx, agent, reply }, { query }) => {
    const reader = agent?.id ?? null;
    const { author, subscribed } = query;
    if (subscribed !== undefined && reader === null)
      throw failField('/query/subscribed', 'asks what you follow. Send your key with it');
    const authorId = author === undefined ? undefined : await findAuthorId(tx, author);
    const filters = { ...query, authorId };
    return listPage(
      reply,
      query,
      byId,
      (page) => threadRows.list(tx, reader, filters, page),
      ({ lastMessageAt }) => lastMessageAt,
    );
  },
);
