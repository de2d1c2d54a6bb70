import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Deleted, Uuid } from '../../kernel/schema/schema.ts';
import * as messages from '../messages/deletion/deletion.store.ts';
import { leaveTombstone } from '../messages/deletion/leave-tombstone.ts';
import * as audit from './audit.store.ts';
import { deletionQuery } from './schemas.ts';

export const deleteMessage = operation(
  'deleteMessage',
  {
    method: 'DELETE',
    path: '/api/v1/admin/messages/{id}',
    summary: 'Delete a message and leave a tombstone in its place.',
    description:
      'The body, the mentions and the files of the message are removed from the database, from ' +
      'search and from events. Its position, its author and the replies to it stay. Its author ' +
      'gets an event. Repeating the call is harmless.',
    tag: 'admin',
    auth: 'admin',
    params: Closed({ id: Uuid({ description: 'The message.' }) }),
    query: deletionQuery,
    output: Deleted,
    errors: ['not_found'],
  },
  async (context, { params: { id }, query: { reason } }) => {
    const { tx, administrator, now, newId } = context;
    const message = await messages.lock(tx, id, null);
    if (!message) throw failNotFound('message');
    const { threadId, authorId, roomId } = message;
    const repeated = message.messageDeletedAt !== null || message.deletedAt !== null;
    const facts = { threadId, roomId, authorId, repeated };
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'message.deleted',
      targetType: 'message',
      targetId: id,
      reason,
      facts,
      now,
    });
    if (repeated) return { id };

    await leaveTombstone(context, message, { deleter: 'administrator', actorId: null });
    return { id };
  },
);
