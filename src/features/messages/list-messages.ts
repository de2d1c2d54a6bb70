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
  countFittingBefore,
  getCentredOffset,
  MAX_PAGE_BYTES,
  MAX_PAGE_LENGTH,
  takeFitting,
} from './message-ranges.rules.ts';
import * as ranges from './message-ranges.store.ts';
import { getPageBody } from './page-cache.ts';
import { MAX_BODY_BYTES } from './rules.ts';
import { Message, MessagePage } from './schemas.ts';
import * as messages from './store.ts';

const Messages = List(Message);

/** Messages before an anchor that always fit into their half of the page. */
const ALWAYS_FITTING = Math.floor(MAX_PAGE_BYTES / 2 / MAX_BODY_BYTES);

/** Returns where the page of an anchor begins, so that the anchor is on it. */
async function findAnchoredOffset(
  tx: Queryable,
  threadId: string,
  position: number,
  limit: number,
  pageBytes: number,
): Promise<number> {
  const from = getCentredOffset(position, limit);
  if (pageBytes === MAX_PAGE_BYTES && position - from <= ALWAYS_FITTING) return from;
  const sizes = await ranges.listBodySizes(tx, threadId, { from, to: position });
  return position - countFittingBefore(sizes, pageBytes / 2);
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
    // No code point has more than four bytes, so no more bytes can fit into the budget.
    const maxBytes = Math.min(MAX_PAGE_BYTES, (budget ?? MAX_PAGE_BYTES) * 4);
    const from = anchor
      ? await findAnchoredOffset(tx, thread.id, anchor.position, query.limit, maxBytes)
      : query.offset;
    const to = Math.min(from + query.limit, thread.messageCount);
    const loadMessages = async () => {
      const reader = agent?.id ?? null;
      const found =
        from < to
          ? await ranges.listRangeWithin(tx, thread.id, { from, to }, maxBytes, reader)
          : [];
      // A code point has two code units at most. The page of an anchor has the anchor.
      const maxLength = Math.min(MAX_PAGE_LENGTH, (budget ?? MAX_PAGE_LENGTH) * 2);
      const fitting = takeFitting(found, maxLength, anchor ? anchor.position - from + 1 : 1);
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
