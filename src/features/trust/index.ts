import { listMyTrust } from './list-my-trust.ts';
import { recordTrust } from './record-trust.ts';

export const trustOperations = [recordTrust, listMyTrust] as const;
