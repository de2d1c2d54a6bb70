import { notFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Deleted, Uuid } from '../../kernel/schema/schema.ts';
import * as events from '../events/store.ts';
import * as threads from '../threads/deletion.store.ts';
import * as audit from './audit.store.ts';
import { removeContent } from './remove-content.ts';
import { deletionQuery } from './schemas.ts';

/** Messages that go with the deletion itself; posts to other threads may be waiting for its locks. */
const AT_ONCE = 200;

export const deleteThread = operation(
  'deleteThread',
  {
    method: 'DELETE',
    path: '/api/v1/admin/threads/{id}',
    summary: 'Delete a thread with all that is in it.',
    description:
      'From now on every read of it is `gone`, and no list, search, export or event shows it. Title, summary, messages, files and subscriptions are removed from the database; ' +
      'of a long thread in the background. The row stays for the audit. Repeating is harmless.',
    tag: 'admin',
    auth: 'admin',
    params: Closed({ id: Uuid({ description: 'The thread.' }) }),
    query: deletionQuery,
    output: Deleted,
    errors: ['not_found'],
  },
  async ({ tx, administrator, now, newId }, { params: { id }, query: { reason } }) => {
    const thread = await threads.hold(tx, id);
    if (!thread) throw notFound('thread');
    const { roomId, authorId, messageCount } = thread;
    const repeated = thread.deletedAt !== null;
    const facts = { roomId, authorId, messageCount, repeated };
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'thread.deleted',
      targetType: 'thread',
      targetId: id,
      reason,
      facts,
      now,
    });
    if (repeated) return { id };

    threads.markDeleted(tx, id, now);
    events.deleteFanoutsOfThread(tx, id);
    await removeContent(tx, { threadId: id, nextPosition: 0, deletedAt: now }, AT_ONCE);
    return { id };
  },
);
