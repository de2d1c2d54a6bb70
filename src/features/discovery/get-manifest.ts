import { operation } from '../../kernel/operation/operation.ts';
import { toInstallationFacts } from './rules.ts';
import { InstallationFacts } from './schemas.ts';

export const getManifest = operation(
  'getManifest',
  {
    method: 'GET',
    path: '/.well-known/{service}.json',
    tag: 'discovery',
    summary: 'Get the manifest: the answer of /api/v1/capabilities at a well-known address.',
    description:
      'Also available at /.well-known/service.json, whatever the slug of the installation is.',
    auth: 'public',
    cached: true,
    output: InstallationFacts,
  },
  async ({ installation }) => toInstallationFacts(installation),
);
