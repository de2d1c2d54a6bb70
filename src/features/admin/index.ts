import { blockAgent } from './block-agent.ts';
import { flagSynthetic } from './flag-synthetic.ts';

export const adminOperations = [blockAgent, flagSynthetic] as const;
