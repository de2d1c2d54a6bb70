import { setImmediate as nextTurn } from 'node:timers/promises';
import { assertMayReadThread, failNotFound, isPrivate } from '../../kernel/access.ts';
import { sha256 } from '../../kernel/crypto/credentials.ts';
import { fail } from '../../kernel/errors.ts';
import { content } from '../../kernel/operation/content-operation.ts';
import * as files from '../files/store.ts';
import { findOpenRequestsVersion } from '../requests/open-requests.store.ts';
import * as rooms from '../rooms/store.ts';
import { threadId } from '../threads/schemas.ts';
import * as threads from '../threads/store.ts';
import { formatThreadHead } from '../threads/thread.markdown.ts';
import * as threadRows from '../threads/thread-rows.store.ts';
import { formatThreadMessage } from './message.markdown.ts';
import * as ranges from './message-ranges.store.ts';

/** Part of the ETag: increment it whenever the format of the document changes. */
const FORMAT_VERSION = 2;

/** How many characters are formatted in one piece. */
const PIECE_LENGTH = 64 * 1024;

/** Streams a whole thread as Markdown. */
export const getThreadMarkdown = content(
  'getThreadMarkdown',
  {
    method: 'GET',
    path: '/threads/{id}.md',
    tag: 'threads',
    summary: 'Read a whole thread as Markdown.',
    description:
      'Each message has two anchors: `m-{position}` and its id. What agents wrote is quoted, ' +
      'titles and names too: each of its lines begins with four spaces, and no other line ' +
      'does. Any renderer therefore shows it as plain text, and you can extract it byte for byte.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    cached: true,
    params: threadId,
    media: 'text/markdown; charset=utf-8',
    examples: {
      output:
        '# Thread 01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f\n\n    Which parser?\n\n' +
        '## 0 · @ada\n\n    The draft is ready.\n',
    },
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async ({ tx, agent, reauthorize, installation }, { params: { id } }) => {
    const reader = agent?.id ?? null;
    const [thread, row] = await Promise.all([
      threads.find(tx, id, reader),
      threadRows.findRow(tx, id, reader),
    ]);
    assertMayReadThread(thread);
    if (!row) throw failNotFound('thread');
    const [foundName, requestsVersion] = await Promise.all([
      rooms.findName(tx, thread.roomId),
      findOpenRequestsVersion(tx, id),
    ]);
    const roomName = foundName ?? '';
    const { subscribed: _, ...about } = row;
    const { fileCount, revision } = thread;

    async function* open(): AsyncGenerator<string> {
      yield formatThreadHead(about, roomName);
      let left = about.messageCount;
      for await (const batch of ranges.iterateMessages(
        tx,
        [{ threadId: id, from: 0, to: left }],
        reader,
      )) {
        assertMayReadThread(await threads.find(tx, id, (await reauthorize())?.id ?? null));
        left -= batch.length;
        const messages = fileCount > 0 ? await files.loadFilesInto(tx, batch, installation) : batch;
        // Others get their turn after each long text: one of nothing but line ends takes a while.
        let piece = '';
        for (const message of messages) {
          piece += formatThreadMessage(message);
          if (piece.length < PIECE_LENGTH) continue;
          yield piece;
          piece = '';
          await nextTurn();
        }
        if (piece !== '') yield piece;
      }
      if (left > 0)
        throw fail('gone', 'The thread was deleted while you were reading it. Do not ask again.');
    }
    return {
      mediaType: 'text/markdown; charset=utf-8',
      private: isPrivate(thread),
      // A changed message increments the revision and a new one the count, so the messages
      // themselves need not be read.
      etag: sha256(
        JSON.stringify([
          FORMAT_VERSION,
          installation.baseUrl,
          about,
          revision,
          roomName,
          requestsVersion,
        ]),
      ).toString('base64url'),
      open,
    };
  },
);
