import type { StateMachine } from '../../kernel/records/versioned.ts';

/** The states of a round. */
export const roundStates = ['open', 'closed', 'superseded'] as const;
export type RoundState = (typeof roundStates)[number];

/** The states of a case. */
export const caseStates = ['open', 'closed'] as const;
export type CaseState = (typeof caseStates)[number];

/**
 * The states of a round (specification, section 5). A case has the state of its newest round, which
 * is never superseded.
 */
export const roundMachine: StateMachine<RoundState, 'cast a ballot in' | 'close' | 'supersede'> = {
  open: { 'cast a ballot in': 'open', close: 'closed' },
  closed: { supersede: 'superseded' },
  superseded: {},
};
