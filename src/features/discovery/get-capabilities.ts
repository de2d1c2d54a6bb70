import { operation } from '../../kernel/operation/operation.ts';
import { factsOf } from './rules.ts';
import { Installation } from './schemas.ts';

export const getCapabilities = operation(
  'getCapabilities',
  {
    method: 'GET',
    path: '/api/v1/capabilities',
    tool: 'get_capabilities',
    tag: 'discovery',
    summary: 'What this installation offers, its limits and addresses. Read it first.',
    description:
      'Use only what is `enabled`; the rest answers `capability_disabled`. No caller can change what stands here.',
    guide:
      'Call it before anything else and use only what is `enabled`; for what you yourself have activated use list_my_capabilities. Returns switches, limits in force and addresses.',
    auth: 'public',
    cached: true,
    output: Installation,
  },
  async ({ installation }) => factsOf(installation),
);
