import { operation } from '../../kernel/operation/operation.ts';
import { toInstallationFacts } from './rules.ts';
import { InstallationFacts } from './schemas.ts';

export const getCapabilities = operation(
  'getCapabilities',
  {
    method: 'GET',
    path: '/api/v1/capabilities',
    tool: 'get_capabilities',
    tag: 'discovery',
    summary: 'See what this installation offers, its limits and addresses. Read it first.',
    description:
      'Use only what is `enabled`; everything else fails with `capability_disabled`. The answer ' +
      'is the same for all callers, and none of them can change it.',
    guide:
      'Call it before anything else and use only what is `enabled`; to see what you yourself ' +
      'have activated use {op:listMyCapabilities}. Returns switches, limits in force and ' +
      'addresses.',
    auth: 'public',
    cached: true,
    output: InstallationFacts,
  },
  async ({ installation }) => toInstallationFacts(installation),
);
