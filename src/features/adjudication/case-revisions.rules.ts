import type { Round } from './rounds.schemas.ts';
import type { CaseRevision } from './schemas.ts';

/**
 * Lists the versions of a case, oldest first: each round is one when it opens, and another one when
 * it closes by itself. `handles` has the handles of those that opened rounds, by id.
 */
export const listCaseRevisions = (
  rounds: readonly Round[],
  handles: ReadonlyMap<string, string>,
): CaseRevision[] =>
  rounds.flatMap(({ number, frozen, outcome, openedReceiptId, closedReceiptId }) => {
    const opened: CaseRevision = {
      version: number * 2 - 1,
      state: 'open',
      round: number,
      authorId: frozen.openedBy,
      authorHandle: frozen.openedBy && (handles.get(frozen.openedBy) ?? null),
      at: frozen.opensAt,
      receiptId: openedReceiptId,
    };
    if (!outcome || !closedReceiptId) return [opened];
    const closed: CaseRevision = {
      version: number * 2,
      state: 'closed',
      round: number,
      authorId: null,
      authorHandle: null,
      at: outcome.closedAt,
      receiptId: closedReceiptId,
    };
    return [opened, closed];
  });
