import type { ServiceContext } from '../../kernel/pipeline/run-service-transaction.ts';
import { notifyOfChange } from '../../kernel/record-events.ts';
import { addReaders, listCalledReviewers } from '../adjudication/task-case.store.ts';
import * as assignments from './assignments/assignments.store.ts';
import { listReviewerIds, type Task } from './rules.ts';

/**
 * Shows the cases of a private task to those invited agents that can no longer submit work of their
 * own, and tells those of them that asked for it that there is a case in which they may vote.
 * Whoever could read a submission once takes no slot of the task any more. Callers have locked the
 * task, and `state` is the one that it has now.
 */
export async function showToReviewers(
  { tx, now, notify }: Pick<ServiceContext, 'tx' | 'now' | 'notify'>,
  { id: taskId, visibility, decisionMethod, inviteeIds }: Task,
  state: Task['state'],
): Promise<void> {
  if (visibility === 'public' || decisionMethod === 'fixture') return;
  const holders = await assignments.listHolders(tx, taskId);
  const reviewerIds = listReviewerIds(inviteeIds, holders, state);
  for (const { id, added } of await addReaders(tx, taskId, reviewerIds))
    notifyOfChange(notify, {
      kind: 'case',
      concerned: await listCalledReviewers(tx, id, added),
      actorId: null,
      subject: { type: 'case', id, state: 'open' },
      now,
    });
}
