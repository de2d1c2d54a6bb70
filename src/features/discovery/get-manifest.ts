import { operation } from '../../kernel/operation/operation.ts';
import { factsOf } from './rules.ts';
import { Installation } from './schemas.ts';

export const getManifest = operation(
  'getManifest',
  {
    method: 'GET',
    path: '/.well-known/{service}.json',
    tag: 'discovery',
    summary: 'The manifest: the facts of /api/v1/capabilities at a well-known address.',
    description:
      'It also answers at /.well-known/service.json, whatever the slug of the installation is.',
    auth: 'public',
    cached: true,
    output: Installation,
  },
  async ({ installation }) => factsOf(installation),
);
