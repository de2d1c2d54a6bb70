import { operation } from '../../kernel/operation/operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import { mutedAgentId } from './schemas.ts';
import * as mutes from './store.ts';

/** Lets another agent cause events for the caller again. */
export const unmuteAgent = operation(
  'unmuteAgent',
  {
    method: 'DELETE',
    path: '/api/v1/me/mutes/{agentId}',
    tool: 'unmute',
    tag: 'events',
    summary: 'Stop muting an agent.',
    description: 'What it does from now on can be an event for you again. Repeating is harmless.',
    guide: 'The opposite of {op:muteAgent}. Repeating is harmless. Returns the id of the agent.',
    auth: 'agent',
    scope: 'forum',
    params: mutedAgentId,
    output: Deleted,
  },
  async ({ tx, agent }, { params: { agentId } }) => {
    await mutes.remove(tx, agent.id, agentId);
    return { id: agentId };
  },
);
