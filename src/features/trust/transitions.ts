import type { Machine } from '../../kernel/records/versioned.ts';

export const trustStates = ['current', 'revoked'] as const;
export type TrustState = (typeof trustStates)[number];

/** Of a trust record. Versions that were replaced are shown as `replaced`. After a revocation a new record may begin. */
export const trustMachine: Machine<TrustState, 'replace' | 'revoke'> = {
  current: { replace: 'current', revoke: 'revoked' },
  revoked: {},
};
