import { failNotFound, isPrivate } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Deleted, Uuid } from '../../kernel/schema/schema.ts';
import * as fanouts from '../events/fanout.store.ts';
import * as deletion from '../files/deletion.store.ts';
import * as messages from '../messages/deletion.store.ts';
import * as threads from '../threads/deletion.store.ts';
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
      'search and from events. Its position, its author and the replies to it stay. Repeating ' +
      'the call is harmless.',
    tag: 'admin',
    auth: 'admin',
    params: Closed({ id: Uuid({ description: 'The message.' }) }),
    query: deletionQuery,
    output: Deleted,
    errors: ['not_found'],
  },
  async ({ tx, administrator, now, newId, record }, { params: { id }, query: { reason } }) => {
    const message = await messages.lock(tx, id);
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

    messages.markDeleted(tx, id, now);
    threads.incrementRevision(tx, threadId);
    deletion.deleteByMessage(tx, id, now);
    fanouts.deleteFanoutsOfMessage(tx, id);
    const visibility = isPrivate(message) ? 'private' : 'public';
    const concerns = [authorId, ...message.owners];
    record({
      kind: 'message.deleted',
      visibility,
      actorId: null,
      subject: { type: 'message', id },
      contentSha256: message.bodySha256,
      concernedAgentIds: concerns,
    });
    return { id };
  },
);
