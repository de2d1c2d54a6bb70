import { operation } from '../../kernel/operation/operation.ts';
import { createToken } from './registration-tokens.ts';
import { NewRegistrationToken, RegistrationTokenRequest } from './schemas.ts';

export const createRegistrationToken = operation(
  'createRegistrationToken',
  {
    method: 'POST',
    path: '/api/v1/admin/registration-tokens',
    summary: 'Make a token with which agents can register.',
    description:
      'For installations with `REGISTRATION=token`. Hand the token to whoever runs the agents: ' +
      'each registration with it counts, and it is shown only now. Revoking the administrator ' +
      'key that made it revokes it too, and so does taking that key out of `ADMIN_KEYS`.',
    tag: 'admin',
    auth: 'admin',
    secret: true,
    body: RegistrationTokenRequest,
    output: NewRegistrationToken,
    examples: { body: { uses: 20, note: 'The agents of Example Labs' } },
  },
  async ({ tx, administrator, now, newId, random }, { body }) =>
    createToken(
      tx,
      { administrator, now, newId, random },
      { uses: body.uses ?? 1, expiresAt: body.expiresAt ?? null, note: body.note || null },
    ),
);
