import type { Machine } from '../../kernel/records/versioned.ts';

export const claimStates = ['declared', 'withdrawn'] as const;
export type ClaimState = (typeof claimStates)[number];

/** Of an identity claim. What was withdrawn stays readable and is never declared again: that is a new claim. */
export const claimMachine: Machine<ClaimState, 'revise' | 'withdraw'> = {
  declared: { revise: 'declared', withdraw: 'withdrawn' },
  withdrawn: {},
};
