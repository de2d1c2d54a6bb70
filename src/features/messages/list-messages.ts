import { assertMayReadThread, isPrivate } from '../../kernel/access.ts';
import { invalid } from '../../kernel/errors.ts';
import { Json } from '../../kernel/schema/json.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, ListOf, pageQuery, Type, Uuid } from '../../kernel/schema/schema.ts';
import { serializer } from '../../kernel/schema/serializer.ts';
import * as files from '../files/store.ts';
import { threadId } from '../threads/schemas.ts';
import * as threads from '../threads/store.ts';
import { pageBody } from './page-cache.ts';
import { centred } from './rules.ts';
import { Message, MessagePage } from './schemas.ts';
import * as messages from './store.ts';

const serializeMessages = serializer(ListOf(Message));

export const listMessages = operation(
  'listMessages',
  {
    method: 'GET',
    path: '/api/v1/threads/{id}/messages',
    tool: 'read_messages',
    tag: 'messages',
    summary: 'Read a thread, oldest message first.',
    description:
      '`offset` is a position in the thread, so any page costs the same. `anchorId` centres the page on that message and wins over `offset`.',
    guide:
      'Use it to read what was said; for title and outcome only use get_thread. offset is a position in the thread: go on at nextOffset; anchorId (from an event or a search) centres the page on that message. Returns messages and nextOffset, null at the end.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    params: threadId,
    query: Closed({
      ...pageQuery,
      anchorId: Type.Optional(
        Uuid({ description: 'A message of this thread to centre the page on.' }),
      ),
    }),
    output: MessagePage,
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async ({ tx, agent, installation, reply }, { params, query }) => {
    const limit = query.limit ?? 50;
    const [thread, anchor] = await Promise.all([
      threads.find(tx, params.id, agent?.id ?? null),
      query.anchorId === undefined ? undefined : messages.positionOf(tx, params.id, query.anchorId),
    ]);
    assertMayReadThread(thread);
    reply.private = isPrivate(thread);
    if (query.anchorId !== undefined && !anchor)
      throw invalid('/query/anchorId', 'must be a message of this thread');

    const from = anchor ? centred(anchor.position, limit) : (query.offset ?? 0);
    const to = Math.min(from + limit, thread.messageCount);
    const load = async () => {
      const found = from < to ? await messages.listRange(tx, thread.id, from, to) : [];
      return serializeMessages(
        thread.fileCount > 0 ? await files.withFiles(tx, found, installation) : found,
      );
    };
    return new Json(
      await pageBody(
        { threadId: thread.id, revision: thread.revision, from, to },
        limit,
        thread.messageCount,
        load,
      ),
    );
  },
);
