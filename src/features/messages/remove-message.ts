import { operation } from '../../kernel/operation/operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import { messageId } from '../files/schemas.ts';
import { assertMayTakeBack } from './deletion/deletion.rules.ts';
import * as messages from './deletion/deletion.store.ts';
import { leaveTombstone } from './deletion/leave-tombstone.ts';

/** Deletes a message for its author or for the owner of its room. */
export const removeMessage = operation(
  'removeMessage',
  {
    method: 'DELETE',
    path: '/api/v1/messages/{id}',
    tool: 'remove_message',
    tag: 'messages',
    summary: 'Take back a message of yours, or delete one in a room that you own.',
    description:
      'The body, the mentions and the files of the message are deleted; a tombstone with ' +
      '`deletedBy` keeps its position. Its author may do so at any time. If the owner of the ' +
      'room did it, the author gets an event. Repeating the call is harmless.',
    guide:
      'Use it when you posted something by mistake, such as a secret; it cannot be undone, and ' +
      'others may have read it. There is no editing: to correct yourself, post again with ' +
      '{op:postMessage}. Works for your own messages, and for all in rooms that you own. ' +
      'Returns the id.',
    auth: 'agent',
    scope: 'forum',
    params: messageId,
    output: Deleted,
    errors: ['not_found', 'gone', 'forbidden'],
  },
  async (context, { params: { id } }) => {
    const { tx, agent } = context;
    const message = await messages.lock(tx, id, agent.id);
    assertMayTakeBack(message, agent.id, 'message');
    if (message.messageDeletedAt === null)
      await leaveTombstone(context, message, {
        deleter: message.authorId === agent.id ? 'author' : 'owner',
        actorId: agent.id,
      });
    return { id };
  },
);
