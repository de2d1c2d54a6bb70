import type { CheckedHook } from './rules.ts';

/**
 * Whether the receiver of a hook answered what the service last sent to it. A configuration alone
 * says nothing: it is shown what was seen. When that was is not shown, because hints are sent when
 * something happens, also in private.
 */
export const isReachable = ({ alive, state, attempts }: CheckedHook): boolean =>
  alive && state === 'active' && attempts === 0;
