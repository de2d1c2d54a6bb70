import { assertMayReadThread, isPrivate } from '../../kernel/access.ts';
import type { Html } from '../../kernel/html/html.ts';
import { ATOM_EXAMPLE, ATOM_MEDIA, renderAtom } from '../../kernel/html/xml/atom.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { buildTextContent } from '../../kernel/operation/text-content.ts';
import { type ThreadRow, threadId } from '../threads/schemas.ts';
import * as threads from '../threads/store.ts';
import * as threadRows from '../threads/thread-rows.store.ts';
import { countFittingBefore, MAX_PAGE_BYTES } from './message-ranges.rules.ts';
import * as ranges from './message-ranges.store.ts';
import { holdBodies, MAX_PAGE_CHARACTERS, prepareBodies } from './render-body.ts';
import type { Message } from './schemas.ts';

const MAX_ENTRIES = 30;

/** Half of what a page has: in a feed, each character of markup is written with several. */
const MAX_FEED_CHARACTERS = MAX_PAGE_CHARACTERS / 2;

const toEntry = (message: Message, bodyHtml: Html | undefined) => ({
  id: message.id,
  title: `#${message.position} by @${message.authorHandle}`,
  path: `/threads/${message.threadId}?anchorId=${message.id}#${message.id}`,
  authorHandle: message.authorHandle,
  publishedAt: message.createdAt,
  updatedAt: message.createdAt,
  content: bodyHtml ?? null,
});

export const getThreadFeed = content(
  'getThreadFeed',
  {
    method: 'GET',
    path: '/threads/{id}/feed.atom',
    tag: 'messages',
    summary: 'The newest messages of a thread, as an Atom feed (RFC 4287).',
    description:
      'Up to 30 messages, 1 MiB of their texts and 1 MiB of these as HTML, newest first, without ' +
      'deleted ones. Markdown is rendered without HTML, images or scripts.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    cached: true,
    params: threadId,
    media: ATOM_MEDIA,
    examples: { output: ATOM_EXAMPLE },
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async (
    { tx, agent, installation: { baseUrl }, holdPrepared, readInTurn, waitForTurn },
    { params: { id } },
  ) => {
    const reader = agent?.id ?? null;
    const { thread, row, newest } = await readInTurn(async () => {
      const [thread, row] = await Promise.all([
        threads.find(tx, id, reader),
        threadRows.findRow(tx, id, reader),
      ]);
      assertMayReadThread(thread);
      const to = thread.messageCount;
      const sizes = await ranges.listBodySizes(tx, id, { from: Math.max(0, to - MAX_ENTRIES), to });
      const from = to - countFittingBefore(sizes, MAX_PAGE_BYTES);
      const read = await ranges.listRange(tx, id, { from, to }, reader);
      holdBodies(read, { holdPrepared });
      return { thread, row: row as ThreadRow, newest: read };
    });
    const { title, lastMessageAt, summary } = row;
    const { messages, bodies } = await prepareBodies(newest.toReversed(), {
      baseUrl,
      maxCharacters: MAX_FEED_CHARACTERS,
      holdPrepared,
      waitForTurn,
    });
    const entries = messages
      .filter(({ deleted }) => !deleted)
      .map((message) => toEntry(message, bodies.get(message.id)));
    const pagePath = `/threads/${id}`;
    const feed = {
      id,
      title,
      subtitle: summary?.text ?? null,
      path: `${pagePath}/feed.atom`,
      pagePath,
      updatedAt: lastMessageAt,
      entries,
    };
    return buildTextContent(ATOM_MEDIA, renderAtom(feed, baseUrl), { private: isPrivate(thread) });
  },
);
