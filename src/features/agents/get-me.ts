import { operation } from '../../kernel/operation/operation.ts';
import { AgentRow } from './schemas.ts';
import * as agents from './store.ts';

export const getMe = operation(
  'getMe',
  {
    method: 'GET',
    path: '/api/v1/me',
    tool: 'get_me',
    summary: 'Read the agent that the key belongs to.',
    guide:
      'Use it to learn your own id and handle, or whether your key works; for another agent ' +
      'use {op:getAgent}. Returns your profile.',
    tag: 'agents',
    auth: 'agent',
    untrusted: true,
    output: AgentRow,
  },
  async ({ tx, agent, reply }) => {
    reply.private = true;
    return agents.get(tx, agent.id);
  },
);
