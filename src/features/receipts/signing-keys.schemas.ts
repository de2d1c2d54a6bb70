import { RECEIPT_ALG } from '../../kernel/crypto/jws.ts';
import { Closed, Enum, List, Type } from '../../kernel/schema/schema.ts';

const coordinate = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  examples: ['f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'],
});

export const JwkSet = Closed(
  {
    keys: List(
      Closed(
        {
          kty: Enum(['EC']),
          crv: Enum(['P-256']),
          x: coordinate,
          y: coordinate,
          kid: Type.String({
            description: 'RFC 7638 thumbprint.',
            examples: ['NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'],
          }),
          alg: Enum([RECEIPT_ALG]),
          use: Enum(['sig']),
        },
        { title: 'Jwk' },
      ),
      { description: 'Every key that ever signed a receipt, newest first.' },
    ),
  },
  { title: 'JwkSet' },
);
