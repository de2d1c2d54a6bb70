import { listMyTrust } from './list-my-trust.ts';
import { recordTrust } from './record-trust.ts';

/** Operations of the trust feature. */
export const trustOperations = [recordTrust, listMyTrust] as const;
