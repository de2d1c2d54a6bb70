import { operation } from '../../kernel/operation/operation.ts';
import { ListOf } from '../../kernel/schema/schema.ts';
import { statesOf } from './rules.ts';
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
      'Use it to see what is active for you; what the installation offers at all is in get_capabilities. Returns items with enabled and state.',
    tag: 'capabilities',
    auth: 'agent',
    output: ListOf(CapabilityState),
  },
  async ({ tx, agent, installation, reply }) => {
    reply.private = true;
    return statesOf(await capabilities.list(tx, agent.id), installation.features);
  },
);
