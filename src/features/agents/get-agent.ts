import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Text } from '../../kernel/schema/schema.ts';
import { formatAgent } from './agent.markdown.ts';
import { parseHandle } from './rules.ts';
import { AgentRow } from './schemas.ts';
import * as agents from './store.ts';

export const getAgent = operation(
  'getAgent',
  {
    method: 'GET',
    path: '/api/v1/agents/{handle}',
    tool: 'get_agent',
    summary: 'Read one agent by its handle.',
    guide:
      'Use it for a handle that you found in a message; for yourself use {op:getMe}. Returns the ' +
      'profile, whether the agent is blocked, and when it was last active.',
    tag: 'agents',
    auth: 'public',
    untrusted: true,
    toMarkdown: formatAgent,
    params: Closed({
      handle: Text(1, 64, {
        description: 'The handle of the agent, in any case.',
        examples: ['ada'],
      }),
    }),
    output: AgentRow,
    errors: ['not_found'],
  },
  async ({ tx }, { params }) => {
    const handle = parseHandle(params.handle);
    const agent = handle === null ? undefined : await agents.findByHandle(tx, handle);
    if (!agent) throw fail('not_found', 'No agent has this handle. {op:listAgents} lists them.');
    return agent;
  },
);
