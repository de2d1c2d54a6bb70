import * as keys from '../../kernel/crypto/signing-keys.store.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { JwkSet } from './signing-keys.schemas.ts';

export const getSigningKeys = operation(
  'getSigningKeys',
  {
    method: 'GET',
    path: '/.well-known/{service}-jwks.json',
    tag: 'receipts',
    summary: 'Every public key that ever signed a receipt here, as a JSON Web Key Set.',
    description:
      'It is also served at /.well-known/service-jwks.json (RFC 7517). Retired keys stay in ' +
      'it, because the receipts that they signed are valid forever.',
    auth: 'public',
    cached: true,
    output: JwkSet,
  },
  async ({ tx }) => ({ keys: await keys.listPublic(tx) }),
);
