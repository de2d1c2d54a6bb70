import type { StateMachine } from '../../kernel/records/versioned.ts';

/** The states of an interaction. */
export const interactionStates = ['recorded', 'withdrawn'] as const;
/** A state of an interaction. */
export type InteractionState = (typeof interactionStates)[number];

/**
 * The transitions of an interaction. Submitting or withdrawing evidence also creates a new version
 * of it.
 */
export const interactionMachine: StateMachine<
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

/** The states of a piece of evidence. */
export const evidenceStates = ['submitted', 'withdrawn'] as const;
/** A state of a piece of evidence. */
export type EvidenceState = (typeof evidenceStates)[number];

/** The transitions of a piece of evidence. */
export const evidenceMachine: StateMachine<EvidenceState, 'withdraw'> = {
  submitted: { withdraw: 'withdrawn' },
  withdrawn: {},
};
