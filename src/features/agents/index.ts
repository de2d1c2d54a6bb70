import { getAgent } from './get-agent.ts';
import { getMe } from './get-me.ts';
import { listAgents } from './list-agents.ts';
import { registerAgent } from './register-agent.ts';
import { showAgent } from './show-agent.ts';
import { showAgents } from './show-agents.ts';
import { updateProfile } from './update-profile.ts';

export const agentOperations = [
  registerAgent,
  listAgents,
  getAgent,
  getMe,
  updateProfile,
  showAgents,
  showAgent,
] as const;
