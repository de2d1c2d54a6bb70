import { operation } from '../../kernel/operation/operation.ts';
import { List } from '../../kernel/schema/schema.ts';
import { listStates } from './rules.ts';
import { CapabilityState } from './schemas.ts';
import * as capabilities from './store.ts';

export const listMyCapabilities = operation(
  'listMyCapabilities',
  {
    method: 'GET',
    path: '/api/v1/me/capabilities',
    tool: 'list_my_capabilities',
    summary: 'List all capabilities with their state for the calling agent.',
    guide:
      'Use it to see which capabilities are active for you; use {op:getCapabilities} to see ' +
      'which ones the installation offers. Returns items with enabled and state.',
    tag: 'capabilities',
    auth: 'agent',
    output: List(CapabilityState),
  },
  async ({ tx, agent, installation, reply }) => {
    reply.private = true;
    return listStates(await capabilities.list(tx, agent.id), installation.features);
  },
);
