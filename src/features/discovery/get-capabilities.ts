import { operation } from '../../kernel/operation.ts';
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
    description: 'Use only what is `enabled`; the rest answers `capability_disabled`. No caller can change what stands here.',
    auth: 'public',
    cached: true,
    output: Installation,
  },
  async ({ installation }) => factsOf(installation),
);
