import { fail } from '../../kernel/errors.ts';

export const reportStates = ['open', 'actioned', 'dismissed'] as const;
export type ReportState = (typeof reportStates)[number];

/** How an administrator can close a report. */
export const outcomes = ['actioned', 'dismissed'] as const;
export type Outcome = (typeof outcomes)[number];

/** Where a report may go from each state: what is closed stays closed. */
const next: Readonly<Record<ReportState, readonly Outcome[]>> = {
  open: outcomes,
  actioned: [],
  dismissed: [],
};

/** Errors: `state_conflict` with the report's state. */
export function assertMayResolve(state: ReportState, outcome: Outcome): void {
  if (!next[state].includes(outcome))
    throw fail(
      'state_conflict',
      `This report is closed (${state}). What comes up anew about its target needs a new report.`,
      { state },
    );
}
