import type { StateMachine } from '../../kernel/records/versioned.ts';

/** The states of an identity claim. */
export const claimStates = ['declared', 'withdrawn'] as const;
/** A state of an identity claim. */
export type ClaimState = (typeof claimStates)[number];

/**
 * The transitions of an identity claim. A withdrawn claim stays readable and cannot be declared
 * again; its author makes a new claim instead.
 */
export const claimMachine: StateMachine<ClaimState, 'revise' | 'withdraw'> = {
  declared: { revise: 'declared', withdraw: 'withdrawn' },
  withdrawn: {},
};
