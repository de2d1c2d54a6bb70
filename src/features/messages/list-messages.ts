import type { Queryable } from '../../db/database.ts';
import { assertMayReadThread, isPrivate } from '../../kernel/access.ts';
import { failField } from '../../kernel/errors.ts';
import { budgetQuery } from '../../kernel/operation/budget-query.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { RawJson } from '../../kernel/schema/json.ts';
import { Closed, List, pageQuery, Type, Uuid } from '../../kernel/schema/schema.ts';
import { serializeInTurns } from '../../kernel/schema/sliced-serializer.ts';
import * as files from '../files/store.ts';
import { threadId } from '../threads/schemas.ts';
import * as threads from '../threads/store.ts';
import { formatMessagePage } from './format-text.ts';
import { formatThreadPart } from './message.markdown.ts';
import {
  computePageSize,
  countFittingBefore,
  getCentredOffset,
  LONGEST_ESCAPE,
  type PageSize,
  sumLast,
  takeFitting,
} from './message-ranges.rules.ts';
import * as ranges from './message-ranges.store.ts';
import { getPageBody } from './page-cache.ts';
import { Message, MessagePage } from './schemas.ts';
import * as messages from './store.ts';

const Messages = List(Message);

/**
 * Returns where the page of an anchor begins, so that the anchor is on it: the bodies before it
 * have at most half of the page, as they are and as JSON.
 */
async function findAnchoredOffset(
  tx: Queryable,
  threadId: string,
  to: number,
  limit: number,
  { maxBytes, maxLength }: PageSize,
): Promise<number> {
  const sizes = await ranges.listBodySizes(tx, threadId, { from: getCentredOffset(to, limit), to });
  const count = countFittingBefore(sizes, maxBytes / 2);
  const from = to - count;
  if (count === 0 || sumLast(sizes, count) * LONGEST_ESCAPE <= maxLength / 2) return from;
  const asJson = await ranges.listBodySizesAsJson(tx, threadId, { from, to });
  return to - countFittingBefore(asJson, maxLength / 2);
}

export const listMessages = operation(
  'listMessages',
  {
    method: 'GET',
    path: '/api/v1/threads/{id}/messages',
    tool: 'read_messages',
    tag: 'messages',
    summary: 'Read a thread, oldest message first.',
    description:
      '`offset` is a position in the thread, so every page costs the same. `anchorId` centers ' +
      'the page on that message and takes precedence over `offset`. A page ends early when its ' +
      'bodies have 1 MiB, or 2 MiB as JSON; `nextOffset` says where to go on.',
    guide:
      'Use it to read what was said; if you need only title and outcome, use {op:getThread}. ' +
      'offset is a position in the thread; continue at nextOffset. anchorId (from an event or ' +
      'a search) centers the page on that message. Returns messages and nextOffset, null at ' +
      'the end; {op:getMessage} shows more of one, such as its receipt.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    params: threadId,
    query: Closed({
      ...pageQuery,
      ...budgetQuery,
      anchorId: Type.Optional(
        Uuid({ description: 'A message of this thread to center the page on.' }),
      ),
    }),
    offsetIsPosition: true,
    toText: formatMessagePage,
    toMarkdown: formatThreadPart,
    output: MessagePage,
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async ({ tx, agent, installation, reply }, { params, query }) => {
    const [thread, anchor] = await Promise.all([
      threads.find(tx, params.id, agent?.id ?? null),
      query.anchorId === undefined
        ? undefined
        : messages.findPosition(tx, params.id, query.anchorId),
    ]);
    assertMayReadThread(thread);
    reply.private = isPrivate(thread);
    if (query.anchorId !== undefined && !anchor)
      throw failField('/query/anchorId', 'must be the id of a message of this thread');

    const { budget } = query;
    const size = computePageSize(budget);
    const from = anchor
      ? await findAnchoredOffset(tx, thread.id, anchor.position, query.limit, size)
      : query.offset;
    const to = Math.min(from + query.limit, thread.messageCount);
    // A long anchor may have more than the rest of a small budget.
    const least = anchor ? anchor.position - from + 1 : 1;
    const loadMessages = async () => {
      const reader = agent?.id ?? null;
      const found =
        from < to
          ? await ranges.listRangeWithin(tx, thread.id, { from, to }, { ...size, least }, reader)
          : [];
      const fitting = takeFitting(found, size.maxLength, least);
      return thread.fileCount > 0 ? files.loadFilesInto(tx, fitting, installation) : fitting;
    };
    if (budget !== undefined) {
      const found = await loadMessages();
      const toNextOffset = (end: number) =>
        end > 0 && from + end < thread.messageCount ? from + end : null;
      const page = { threadId: thread.id, messages: found, offset: from };
      reply.items = {
        member: 'messages',
        text: 'body',
        more: toNextOffset(found.length) !== null,
        cut: (start, end) => ({ offset: from + start, nextOffset: toNextOffset(end) }),
        ...(anchor && { keep: anchor.position - from }),
      };
      return { ...page, total: thread.messageCount, nextOffset: toNextOffset(found.length) };
    }
    const loadMessagesJson = async () => {
      const found = await loadMessages();
      // A claim ends without a new revision, and shows its holder more than others.
      const lasts = found.every(({ request }) => request === null);
      return { json: await serializeInTurns(Messages, found), count: found.length, lasts };
    };
    return new RawJson(
      await getPageBody(
        { threadId: thread.id, revision: thread.revision, from, to },
        query.limit,
        thread.messageCount,
        loadMessagesJson,
      ),
    );
  },
);
