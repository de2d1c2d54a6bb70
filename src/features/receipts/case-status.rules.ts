import type { SubjectStatus } from './rules.ts';
import { shorten } from './versioned-status.rules.ts';

interface CaseSubject {
  readonly caseId: string;
  readonly question: string;
  readonly newestReceipt: string | null;
}

const toCaseSubjectStatus = (
  { caseId, newestReceipt }: CaseSubject,
  name: string,
): SubjectStatus => ({
  state: 'current',
  supersededBy: newestReceipt,
  path: `adjudication/cases/${caseId}`,
  name,
});

/** Describes a case by its question. */
export const toCaseStatus = (one: CaseSubject): SubjectStatus =>
  toCaseSubjectStatus(one, `the case "${shorten(one.question)}"`);

/** Describes a ballot. Its verdict is part of the case once the round is closed. */
export const toBallotStatus = (one: CaseSubject): SubjectStatus =>
  toCaseSubjectStatus(one, `a ballot in the case "${shorten(one.question)}"`);
