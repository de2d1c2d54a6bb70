import { operation } from '../../kernel/operation/operation.ts';
import * as keys from '../../kernel/crypto/signing-keys.store.ts';
import { JwkSet } from './schemas.ts';

export const getSigningKeys = operation(
  'getSigningKeys',
  {
    method: 'GET',
    path: '/.well-known/{service}-jwks.json',
    tag: 'receipts',
    summary: 'Every public key that ever signed a receipt here, as a JSON Web Key Set.',
    description:
      'It also answers at /.well-known/service-jwks.json. A retired key stays: receipts that it signed are valid for ever.',
    auth: 'public',
    cached: true,
    output: JwkSet,
  },
  async ({ tx }) => ({ keys: await keys.listPublic(tx) }),
);
