import type { Queryable } from '../../db/database.ts';
import { assertMayReadThread, isPrivate } from '../../kernel/access.ts';
import { type PageContext, page, runOperation } from '../../kernel/operation/page-operation.ts';
import { Closed, Enum, pageQuery, Type, Uuid } from '../../kernel/schema/schema.ts';
import { listUnread } from '../catch-up/unread.store.ts';
import { maySummarise } from '../threads/rules.ts';
import { type ThreadRow, threadId } from '../threads/schemas.ts';
import * as threads from '../threads/store.ts';
import * as threadRows from '../threads/thread-rows.store.ts';
import { getThreadMarkdown } from './get-thread-markdown.ts';
import { listMessages } from './list-messages.ts';
import { countFileCharacters } from './message-files.page.ts';
import * as places from './places.store.ts';
import { holdBodies, prepareBodies, renderOutcomeText } from './render-body.ts';
import type { Message } from './schemas.ts';
import { renderThreadPage, type ThreadReading } from './thread.page.ts';
import { MESSAGES_PER_PAGE, takeShown } from './thread-pages.page.ts';
import { parseSeen, SEEN_COOKIE } from './watch.page.ts';
import { watchQuery } from './watch.schemas.ts';
import { chooseWholeLimit, MAX_WHOLE } from './whole-thread.page.ts';

/** Returns the outcome of a thread for those who may change it; null for other readers. */
async function findChangeableOutcome(
  tx: Queryable,
  thread: ThreadRow,
  agentId: string | undefined,
): Promise<ThreadReading['outcome']> {
  const found = agentId && (await threads.find(tx, thread.id, agentId));
  if (!agentId || !found || !maySummarise(agentId, found)) return null;
  const ids = thread.summary?.messageIds ?? [];
  const positions = await places.listPositions(tx, thread.id, ids);
  return { summary: thread.summary?.text, positions };
}

/**
 * Returns what a page of a thread is made of for strangers, to whom it shows the same: its messages
 * change with its revision, as listMessages keeps them. Null if the reader asks for more.
 */
async function findThreadVersion(
  { tx }: Pick<PageContext<{ auth: 'public' }>, 'tx'>,
  threadId: string,
  { offset, ...more }: { readonly offset: number },
): Promise<string | null> {
  if (Object.values(more).some((value) => value !== undefined)) return null;
  const [thread, ...shown] = await Promise.all([
    threads.find(tx, threadId, null),
    threadRows.findRow(tx, threadId, null),
    threadRows.findRoomName(tx, threadId),
  ]);
  assertMayReadThread(thread);
  return isPrivate(thread) ? null : JSON.stringify([offset, thread.revision, shown]);
}

export const showThread = page(
  'showThread',
  {
    path: '/threads/{id}',
    tag: 'messages',
    summary: 'A thread, as a page.',
    description:
      'For people; the outcome and the messages of `{op:listMessages}`. Each message has two ' +
      'anchors: `m-{position}` and its id. With `watch=1` a browser loads it again every 20 ' +
      'seconds, and with `all=1` it has the whole thread, for printing. A page ends early when ' +
      'its messages have 2 MiB as HTML, and links to the rest. No HTML, image or script is shown.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    markdown: getThreadMarkdown,
    params: threadId,
    offsetIsPosition: true,
    bookmark: SEEN_COOKIE,
    query: Closed({
      offset: pageQuery.offset,
      reply: Type.Optional(
        Uuid({ description: 'A message of this thread that the form at the end answers.' }),
      ),
      ...watchQuery,
      all: Type.Optional(
        Enum(['1'], {
          description: `Shows the whole thread for printing, at most ${MAX_WHOLE} messages of it.`,
        }),
      ),
      anchorId: Type.Optional(
        Uuid({ description: 'A message of this thread to center the page on.' }),
      ),
    }),
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async (context, { params, query }) => {
    const { tx, agent, reply, view } = context;
    const countMore = ({ files }: Message) => countFileCharacters(files);
    const room = { ...context, baseUrl: view.installation.baseUrl, countMore };
    const { reply: replyToId, watch, seen, all, offset: from, anchorId = replyToId } = query;
    const whole = all !== undefined;
    const newest = watch && (await threadRows.findRow(tx, params.id, null))?.messageCount;
    const offset = newest === undefined ? from : Math.max(0, newest - MESSAGES_PER_PAGE);
    const files = whole ? (await threads.find(tx, params.id, agent?.id ?? null))?.fileCount : 0;
    const part = whole
      ? { offset: 0, limit: chooseWholeLimit(files) }
      : { offset, limit: MESSAGES_PER_PAGE, ...(anchorId !== undefined && { anchorId }) };
    // listMessages decides whether the reader may see anything of this thread, or else throws.
    const [found, row, roomName = '', unread] = await context.readInTurn(async () => {
      const read = await Promise.all([
        runOperation(listMessages, context, { params, query: part, body: {} }),
        threadRows.findRow(tx, params.id, agent?.id ?? null),
        threadRows.findRoomName(tx, params.id),
        agent && !whole ? listUnread(context, agent.id, [params.id]) : undefined,
      ]);
      holdBodies(read[0].messages, room);
      return read;
    });
    const thread = row as ThreadRow;
    const outcome = view.visitor && (await findChangeableOutcome(tx, thread, agent?.id));
    const anchor = found.messages.findIndex(({ id }) => id === anchorId);
    const prepared = await prepareBodies(found.messages, { ...room, anchor: Math.max(0, anchor) });
    return renderThreadPage(thread, roomName, takeShown(found, prepared.messages), {
      isPublic: reply.private !== true,
      view,
      bodies: prepared.bodies,
      outcomeText:
        thread.summary && (await renderOutcomeText(thread.id, thread.summary.text, room)),
      replyToId,
      watching: watch === undefined || whole ? null : { seen, kept: parseSeen(context.bookmark) },
      outcome,
      unread: unread?.get(params.id),
      whole,
    });
  },
  (context, { params, query }) => findThreadVersion(context, params.id, query),
);
