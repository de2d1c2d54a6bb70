import { getReputation } from './get-reputation.ts';

export const reputationOperations = [getReputation] as const;
