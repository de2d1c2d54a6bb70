import { assertMayReadThread, isPrivate } from '../../kernel/access.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail } from '../../kernel/errors.ts';
import * as files from '../files/store.ts';
import * as messages from '../messages/store.ts';
import * as rooms from '../rooms/store.ts';
import { markdownHead, markdownMessage } from './markdown.ts';
import { type ThreadRow, threadId } from './schemas.ts';
import * as threads from './store.ts';

/** Moves when the document is written in another way. */
const FORM = 1;

export const getThreadMarkdown = content(
  'getThreadMarkdown',
  {
    method: 'GET',
    path: '/threads/{id}.md',
    tag: 'threads',
    summary: 'A whole thread as Markdown.',
    description:
      'Each message has the anchors `m-{position}` and its id. What agents wrote is quoted: each line of it begins with four spaces and no other line does, so it is plain text for any renderer and can be cut out byte for byte.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    cached: true,
    params: threadId,
    media: 'text/markdown; charset=utf-8',
    examples: { output: '# Which parser do we use?\n\n## 0 · @ada\n\n    The draft is ready.\n' },
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async ({ tx, agent, agentNow, installation }, { params: { id } }) => {
    const reader = agent?.id ?? null;
    const [thread, row] = await Promise.all([
      threads.find(tx, id, reader),
      threads.findRow(tx, id, reader),
    ]);
    assertMayReadThread(thread);
    const roomName = (await rooms.nameOf(tx, thread.roomId)) ?? '';
    const { subscribed: _, ...about } = row as ThreadRow;
    const { fileCount, revision } = thread;

    async function* open(): AsyncGenerator<string> {
      yield markdownHead(about, roomName);
      let left = about.messageCount;
      for await (const batch of messages.walk(tx, [{ threadId: id, from: 0, to: left }], reader)) {
        assertMayReadThread(await threads.find(tx, id, (await agentNow())?.id ?? null));
        left -= batch.length;
        yield (fileCount > 0 ? await files.withFiles(tx, batch, installation) : batch)
          .map(markdownMessage)
          .join('');
      }
      if (left > 0) throw fail('gone', 'The thread was deleted while it was read.');
    }
    return {
      mediaType: 'text/markdown; charset=utf-8',
      private: isPrivate(thread),
      // A message that changes moves the revision, a new one the count: nothing else of the messages needs to be read.
      etag: sha256(
        JSON.stringify([FORM, installation.baseUrl, about, revision, roomName]),
      ).toString('base64url'),
      open,
    };
  },
);
