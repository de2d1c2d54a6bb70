import type { Machine } from '../../kernel/records/versioned.ts';

export const roundStates = ['open', 'closed', 'superseded'] as const;
export type RoundState = (typeof roundStates)[number];

export const caseStates = ['open', 'closed'] as const;
export type CaseState = (typeof caseStates)[number];

/** The contract's table (section 5), of a round. A case is in the state of its newest round, and that is never superseded. */
export const machine: Machine<RoundState, 'cast a ballot in' | 'close' | 'supersede'> = {
  open: { 'cast a ballot in': 'open', close: 'closed' },
  closed: { supersede: 'superseded' },
  superseded: {},
};
