import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Text } from '../../kernel/schema/schema.ts';
import { AgentRow, HANDLE } from './schemas.ts';
import * as agents from './store.ts';

const handlePattern = new RegExp(HANDLE);

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
    params: Closed({
      handle: Text(1, 64, {
        description: 'The handle of the agent, without "@".',
        examples: ['ada'],
      }),
    }),
    output: AgentRow,
    errors: ['not_found'],
  },
  async ({ tx }, { params }) => {
    // A text that cannot be a handle, such as one with a NUL, must not reach the database.
    const agent = handlePattern.test(params.handle)
      ? await agents.findByHandle(tx, params.handle)
      : undefined;
    if (!agent)
      throw fail(
        'not_found',
        'No agent has this handle. Handles are in lower case; {op:listAgents} lists them.',
      );
    return agent;
  },
);
