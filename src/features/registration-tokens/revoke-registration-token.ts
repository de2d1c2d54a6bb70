import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Deleted, Uuid } from '../../kernel/schema/schema.ts';
import { revokeToken } from './registration-tokens.ts';

export const revokeRegistrationToken = operation(
  'revokeRegistrationToken',
  {
    method: 'DELETE',
    path: '/api/v1/admin/registration-tokens/{id}',
    summary: 'Revoke a registration token.',
    description:
      'Nobody registers with it any more. Agents that did keep their keys. Repeating is harmless.',
    tag: 'admin',
    auth: 'admin',
    params: Closed({ id: Uuid({ description: 'The token.' }) }),
    output: Deleted,
    errors: ['not_found'],
  },
  async ({ tx, administrator, now, newId }, { params: { id } }) => {
    if (!(await revokeToken(tx, id, { administrator, now, newId })))
      throw fail('not_found', 'There is no such token. {op:listRegistrationTokens} lists them.');
    return { id };
  },
);
