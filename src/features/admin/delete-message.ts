import { isPrivate, notFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Deleted, Uuid } from '../../kernel/schema/schema.ts';
import * as events from '../events/store.ts';
import * as files from '../files/store.ts';
import * as messages from '../messages/deletion.store.ts';
import * as threads from '../threads/deletion.store.ts';
import * as audit from './audit.store.ts';
import { deletionQuery } from './schemas.ts';

export const deleteMessage = operation(
  'deleteMessage',
  {
    method: 'DELETE',
    path: '/api/v1/admin/messages/{id}',
    summary: 'Delete a message: a tombstone keeps its place.',
    description:
      'Body, mentions and files are removed from the database, from search and from events. Position, author and replies to it stay. Repeating is harmless.',
    tag: 'admin',
    auth: 'admin',
    params: Closed({ id: Uuid({ description: 'The message.' }) }),
    query: deletionQuery,
    output: Deleted,
    errors: ['not_found'],
  },
  async ({ tx, administrator, now, newId, record }, { params: { id }, query: { reason } }) => {
    const message = await messages.hold(tx, id);
    if (!message) throw notFound('message');
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

    messages.empty(tx, id, now);
    threads.raiseRevision(tx, threadId);
    files.deleteOfMessage(tx, id, now);
    events.deleteFanoutsOfMessage(tx, id);
    const visibility = isPrivate(message) ? 'private' : 'public';
    const concerns = [authorId, ...message.owners];
    record({
      kind: 'message.deleted',
      visibility,
      actorId: null,
      subject: { type: 'message', id },
      contentSha256: message.bodySha256,
      concerns,
    });
    return { id };
  },
);
