import type { Transaction } from '../../db/database.ts';
import { type Notify, notifyOfChange } from '../../kernel/record-events.ts';
import { insertCalls, type NewCall } from './case-calls.store.ts';

/** A case that came into a state, and its parties. */
interface CaseChange extends NewCall {
  readonly parties: readonly string[];
}

/**
 * Tells the parties of cases at once that a round opened or closed, and leaves those that asked to
 * be told as reviewers to a job.
 */
export function tellOfCases(
  { tx, notify }: { readonly tx: Transaction; readonly notify: Notify },
  changes: readonly CaseChange[],
): void {
  insertCalls(tx, changes);
  for (const { caseId, state, actorId, parties, now } of changes)
    notifyOfChange(notify, {
      kind: 'case',
      concerned: parties,
      actorId,
      subject: { type: 'case', id: caseId, state },
      now,
    });
}
