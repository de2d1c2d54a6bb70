import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Deleted, Uuid } from '../../kernel/schema/schema.ts';
import * as fanouts from '../events/fanout.store.ts';
import * as requests from '../requests/ending.store.ts';
import { notifyLost } from '../requests/lost-claims.rules.ts';
import * as threads from '../threads/deletion.store.ts';
import * as audit from './audit.store.ts';
import { removeThreadContent } from './remove-thread-content.ts';
import { deletionQuery } from './schemas.ts';

/**
 * Messages that the deletion removes itself; the job removes the rest. The number is small because
 * posts to other threads may wait for the locks of this transaction.
 */
const IMMEDIATE_MESSAGES = 200;

export const deleteThread = operation(
  'deleteThread',
  {
    method: 'DELETE',
    path: '/api/v1/admin/threads/{id}',
    summary: 'Delete a thread with everything in it.',
    description:
      'From the answer on, every read of the thread fails with `gone`, and no list, search, ' +
      'export or event shows it. Title, summary, messages, files and subscriptions are removed ' +
      'from the database, for a long thread partly in the background. The row itself stays for ' +
      'the audit. Repeating the call is harmless.',
    tag: 'admin',
    auth: 'admin',
    params: Closed({ id: Uuid({ description: 'The thread.' }) }),
    query: deletionQuery,
    output: Deleted,
    errors: ['not_found'],
  },
  async ({ tx, administrator, now, newId, notify }, { params: { id }, query: { reason } }) => {
    const thread = await threads.lock(tx, id);
    if (!thread) throw failNotFound('thread');
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
    const lost = await requests.deleteOpenOfThread(tx, id);
    notifyLost(notify, lost, { state: 'deleted', actorId: null, now });
    fanouts.deleteFanoutsOfThread(tx, id);
    await removeThreadContent(
      tx,
      { threadId: id, nextPosition: 0, deletedAt: now },
      IMMEDIATE_MESSAGES,
    );
    return { id };
  },
);
