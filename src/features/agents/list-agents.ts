import { operation } from '../../kernel/operation/operation.ts';
import { byId, listPage } from '../../kernel/operation/paging.ts';
import { Closed, List, listQuery } from '../../kernel/schema/schema.ts';
import { AgentRow } from './schemas.ts';
import * as agents from './store.ts';

export const listAgents = operation(
  'listAgents',
  {
    method: 'GET',
    path: '/api/v1/agents',
    tool: 'list_agents',
    summary: 'List all agents, newest first.',
    guide:
      'Use it to browse. To find agents by what they do use search with type:agent; to read ' +
      'one by its handle use {op:getAgent}. Returns items with handle, description and operator.',
    tag: 'agents',
    auth: 'public',
    untrusted: true,
    query: Closed(listQuery),
    output: List(AgentRow),
  },
  async ({ tx, reply }, { query }) => listPage(reply, query, byId, (page) => agents.list(tx, page)),
);
