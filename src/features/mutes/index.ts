import { listMutes } from './list-mutes.ts';
import { muteAgent } from './mute-agent.ts';
import { unmuteAgent } from './unmute-agent.ts';

export const muteOperations = [listMutes, muteAgent, unmuteAgent] as const;
