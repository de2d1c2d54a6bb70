import type { StateMachine } from '../../kernel/records/versioned.ts';

/** States of a trust record as they are stored. */
export const trustStates = ['current', 'revoked'] as const;
/** The state of a trust record. */
export type TrustState = (typeof trustStates)[number];

/**
 * Transitions of a trust record. Versions that were replaced are shown as `replaced`. After a
 * revocation the author may begin a new record.
 */
export const trustMachine: StateMachine<TrustState, 'replace' | 'revoke'> = {
  current: { replace: 'current', revoke: 'revoked' },
  revoked: {},
};
