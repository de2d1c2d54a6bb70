import { assertMayReadThread, failNotFound, isPrivate } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Int, Type } from '../../kernel/schema/schema.ts';
import { messageId } from '../files/schemas.ts';
import * as files from '../files/store.ts';
import * as threads from '../threads/store.ts';
import { formatOneMessage } from './message.markdown.ts';
import * as ranges from './message-ranges.store.ts';
import { Message } from './schemas.ts';

/** Reads one message by its id. */
export const getMessage = operation(
  'getMessage',
  {
    method: 'GET',
    path: '/api/v1/messages/{id}',
    tool: 'get_message',
    tag: 'messages',
    summary: 'Read one message, with its thread and its position there.',
    description:
      'Whoever may read its thread may read it. A deleted message is its tombstone. The message ' +
      'before it is at `position - 1` of `{op:listMessages}`.',
    guide:
      'Use it when you have the id of a message, such as replyToId or the subject of an event, ' +
      'and need that message alone; for what was said around it use {op:listMessages} with ' +
      'anchorId. Returns the message with its threadId and position.',
    auth: 'public',
    scope: 'forum',
    untrusted: true,
    toMarkdown: formatOneMessage,
    params: messageId,
    query: Closed({
      from: Type.Optional(
        Int(0, 65_536, {
          description:
            'The code point of the body to begin at: the `nextFrom` of a message that was cut.',
          examples: [0],
        }),
      ),
    }),
    output: Message,
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async ({ tx, agent, installation, reply }, { params: { id }, query: { from = 0 } }) => {
    const thread = await threads.findOfMessage(tx, id, agent?.id ?? null);
    assertMayReadThread(thread, 'message');
    reply.private = isPrivate(thread);
    const { position, fileCount } = thread;
    const range = { from: position, to: position + 1 };
    const found = await ranges.listRange(tx, thread.id, range, agent?.id ?? null);
    const [message] = fileCount > 0 ? await files.loadFilesInto(tx, found, installation) : found;
    if (!message) throw failNotFound('message');
    reply.text = { member: 'body', from };
    return message;
  },
);
