import { failNotFound } from '../../kernel/access.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import * as search from '../search/store.ts';
import * as threads from '../threads/deletion.store.ts';
import { threadId } from '../threads/schemas.ts';
import * as audit from './audit.store.ts';
import { deletionQuery } from './schemas.ts';

export const deleteSummary = operation(
  'deleteSummary',
  {
    method: 'DELETE',
    path: '/api/v1/admin/threads/{id}/summary',
    summary: 'Delete the outcome of a thread.',
    description:
      'The thread and its messages stay. Whoever may set the outcome may set another one. ' +
      'Repeating the call is harmless.',
    tag: 'admin',
    auth: 'admin',
    params: threadId,
    query: deletionQuery,
    output: Deleted,
    errors: ['not_found'],
  },
  async ({ tx, administrator, now, newId }, { params: { id }, query: { reason } }) => {
    const thread = await threads.lock(tx, id);
    if (!thread) throw failNotFound('thread');
    const { roomId, summaryBy } = thread;
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'summary.deleted',
      targetType: 'thread',
      targetId: id,
      reason,
      facts: { roomId, authorId: summaryBy, repeated: summaryBy === null },
      now,
    });
    if (summaryBy === null) return { id };

    threads.deleteSummary(tx, id);
    await search.index(tx, 'thread', [id]);
    return { id };
  },
);
