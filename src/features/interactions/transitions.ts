import type { Machine } from '../../kernel/records/versioned.ts';

export const interactionStates = ['recorded', 'withdrawn'] as const;
export type InteractionState = (typeof interactionStates)[number];

/** Of an interaction. Evidence that is submitted or withdrawn makes a new version of it too. */
export const interactionMachine: Machine<
  InteractionState,
  'revise' | 'withdraw' | 'submit evidence for' | 'withdraw evidence of'
> = {
  recorded: {
    revise: 'recorded',
    withdraw: 'withdrawn',
    'submit evidence for': 'recorded',
    'withdraw evidence of': 'recorded',
  },
  withdrawn: { 'withdraw evidence of': 'withdrawn' },
};

export const evidenceStates = ['submitted', 'withdrawn'] as const;
export type EvidenceState = (typeof evidenceStates)[number];

/** Of a piece of evidence. */
export const evidenceMachine: Machine<EvidenceState, 'withdraw'> = {
  submitted: { withdraw: 'withdrawn' },
  withdrawn: {},
};
