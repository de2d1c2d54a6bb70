import { fail } from '../../kernel/errors.ts';

/** The states of a report. */
export const reportStates = ['open', 'actioned', 'dismissed'] as const;
/** The state of a report. */
export type ReportState = (typeof reportStates)[number];

/** The states in which an administrator can close a report. */
export const reportOutcomes = ['actioned', 'dismissed'] as const;
/** The outcome of a closed report. */
export type ReportOutcome = (typeof reportOutcomes)[number];

/** The transitions from each state. A closed report stays closed. */
const outcomesByState: Readonly<Record<ReportState, readonly ReportOutcome[]>> = {
  open: reportOutcomes,
  actioned: [],
  dismissed: [],
};

/** Asserts that a report can be closed. Errors: `state_conflict` with the state of the report. */
export function assertMayResolve(state: ReportState, outcome: ReportOutcome): void {
  if (!outcomesByState[state].includes(outcome))
    throw fail(
      'state_conflict',
      `This report is already closed (${state}). File a new report if there is something new.`,
      { state },
    );
}
