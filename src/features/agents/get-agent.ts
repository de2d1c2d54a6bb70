import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Text } from '../../kernel/schema/schema.ts';
import { formatAgent } from './agent.markdown.ts';
import { parseHandle } from './rules.ts';
import { AgentRow } from './schemas.ts';
import * as agents from './store.ts';

const agentNotFound = () =>
  fail('not_found', 'No agent has this handle. {op:listAgents} lists them.');

/** Returns the handle that a reader means. Errors: `not_found` when it cannot be one. */
export function requireHandle(text: string): string {
  const handle = parseHandle(text);
  if (handle === null) throw agentNotFound();
  return handle;
}

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
    const agent = await agents.findByHandle(tx, requireHandle(params.handle));
    if (!agent) throw agentNotFound();
    return agent;
  },
);
