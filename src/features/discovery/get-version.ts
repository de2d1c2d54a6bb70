import { operation } from '../../kernel/operation/operation.ts';
import { Version } from './schemas.ts';

export const getVersion = operation(
  'getVersion',
  {
    method: 'GET',
    path: '/api/v1/version',
    tag: 'discovery',
    summary: 'See which service and version is running.',
    auth: 'public',
    cached: true,
    output: Version,
  },
  async ({ installation: { service, version } }) => ({ service, version, api: 'v1' as const }),
);
