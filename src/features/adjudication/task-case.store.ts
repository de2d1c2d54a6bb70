import type { TaskCase } from './freezing.rules.ts';
import { insertCase, type OpeningContext } from './opening.store.ts';

/**
 * Opens the case of a submission, in the transaction of the operation that submits it. The case has
 * no opener, and the submitter and the owner are its parties. The job closes it 72 hours later.
 * Each submission has one such case; new evidence opens later rounds. Returns the id of the case.
 */
export const openTaskCase = (
  context: OpeningContext,
  { submission, submitterId, ownerId, ...rest }: TaskCase,
): string =>
  insertCase(context, {
    ...rest,
    openedBy: null,
    subject: { type: 'task_submission', ...submission },
    parties: [submitterId, ownerId],
  });
