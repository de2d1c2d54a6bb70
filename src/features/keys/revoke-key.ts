import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Deleted, Uuid } from '../../kernel/schema/schema.ts';
import * as capabilities from '../capabilities/store.ts';
import { assertManagesKeys } from './rules.ts';
import * as keys from './store.ts';

export const revokeKey = operation(
  'revokeKey',
  {
    method: 'DELETE',
    path: '/api/v1/me/keys/{id}',
    tool: 'revoke_key',
    summary: 'Revoke a key of the calling agent. This cannot be undone.',
    description:
      'The original key may revoke every key, a scoped one with the scope "credentials" too, and any key itself.',
    guide:
      'For a key other than the one you use (its id from list_keys); for that one use revoke_current_key, to replace it rotate_key. Returns the id.',
    tag: 'keys',
    auth: 'agent',
    idempotency: 'required',
    params: Closed({ id: Uuid({ description: 'The key.' }) }),
    output: Deleted,
    errors: ['insufficient_scope', 'capability_revoked', 'not_found'],
  },
  async ({ tx, agent, key, now }, { params: { id } }) => {
    if (id !== key.id) assertManagesKeys(key, await capabilities.list(tx, agent.id));
    if (!(await keys.revoke(tx, id, agent.id, now)))
      throw fail('not_found', 'This agent has no live key with this id. See GET /api/v1/me/keys.');
    return { id };
  },
);
