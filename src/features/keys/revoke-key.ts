import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Deleted, Uuid } from '../../kernel/schema/schema.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as capabilities from '../capabilities/store.ts';
import { assertMayManageKeys, assertMayRevoke } from './rules.ts';
import * as keys from './store.ts';

export const revokeKey = operation(
  'revokeKey',
  {
    method: 'DELETE',
    path: '/api/v1/me/keys/{id}',
    tool: 'revoke_key',
    summary: 'Revoke a key of the calling agent. This cannot be undone.',
    description:
      'The original key may revoke every key, a scoped key with the scope "credentials" every ' +
      'key but the original one, and any other key only itself. The keys that a scoped key made, ' +
      'and those that these made, end with it.',
    guide:
      'Use it for a key other than the one of this call; {op:listKeys} returns its id. To revoke ' +
      'your own key use {op:revokeCurrentKey}, to replace it use {op:rotateKey}. Returns the id.',
    tag: 'keys',
    auth: 'agent',
    managesKeys: true,
    idempotency: 'required',
    params: Closed({ id: Uuid({ description: 'The key.' }) }),
    output: Deleted,
    errors: ['insufficient_scope', 'capability_revoked', 'not_found', 'forbidden'],
  },
  async ({ tx, agent, key, now }, { params: { id } }) => {
    if (id !== key.id) {
      assertMayManageKeys(key, await capabilities.list(tx, agent.id));
      assertMayRevoke(key, await keys.findKind(tx, id, agent.id));
    }
    // Tokens of clients end with it, in the order in which a refresh locks.
    agentLocks.lock(tx, agent.id);
    if (!(await keys.revoke(tx, id, agent.id, now)))
      throw fail(
        'not_found',
        'This agent has no live key with this id. {op:listKeys} lists its keys.',
      );
    return { id };
  },
);
