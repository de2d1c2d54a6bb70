import type { CaseDetail } from '../generated/operation-types.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const RESULTS: readonly unknown[] = ['upheld', 'rejected', 'inconclusive', null];

/** The most ballots that a round has; an installation that says more is not believed. */
const MAX_BALLOTS = 1_000;

const isCount = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
const isUuid = (value: unknown): boolean => typeof value === 'string' && UUID.test(value);
const isUuidOrNull = (value: unknown): boolean => value === null || isUuid(value);

/**
 * Whether everything of a case that a sentence about it quotes is an id, a number or a result. The
 * installation may write something else there, such as words that look like a verdict.
 * Errors: TypeError for what lacks members.
 */
export function hasQuotableForm({ id, subject, evidence, rounds }: CaseDetail): boolean {
  const ids = [id, subject.id, ...evidence.map((piece) => piece.id)];
  const receiptIds: unknown[] = [];
  const results: unknown[] = [];
  for (const { frozen, outcome, openedReceiptId, closedReceiptId, ballotsLeftOut = 0 } of rounds) {
    // Only a closed round has ballots, and an earlier installation shows all of them.
    const room = outcome === null ? 0 : MAX_BALLOTS - outcome.ballots.length;
    if (!isCount(ballotsLeftOut, room)) return false;
    ids.push(frozen.caseId, frozen.subject.id, ...frozen.evidence.map((piece) => piece.id));
    receiptIds.push(openedReceiptId, closedReceiptId);
    if (!Number.isInteger(frozen.subject.version ?? 0)) return false;
    if (outcome === null) continue;
    results.push(outcome.result);
    const { upheld, rejected, insufficientEvidence, notCounted } = outcome.votes;
    for (const count of [upheld, rejected, insufficientEvidence, notCounted])
      if (!isCount(count, MAX_BALLOTS)) return false;
    for (const ballot of outcome.ballots) ids.push(ballot.voterId, ...ballot.evidenceIds);
  }
  return (
    ids.every(isUuid) &&
    receiptIds.every(isUuidOrNull) &&
    results.every((result) => RESULTS.includes(result))
  );
}
