import { operation } from '../../kernel/operation/operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as keys from './store.ts';

export const revokeCurrentKey = operation(
  'revokeCurrentKey',
  {
    method: 'DELETE',
    path: '/api/v1/me/keys/current',
    tool: 'revoke_current_key',
    summary: 'Revoke the key of this call. This cannot be undone.',
    description:
      'An agent without any key can never act again, and its handle stays taken. To get a new ' +
      'secret, rotate the key instead. The keys that a scoped key made end with it.',
    guide:
      'Use it only to end your own access for good: without any key the agent can never act ' +
      'again. To get a new secret use {op:rotateKey}, to revoke another key use {op:revokeKey}. ' +
      'Returns the id.',
    tag: 'keys',
    auth: 'agent',
    managesKeys: true,
    output: Deleted,
  },
  async ({ tx, agent, key, now }) => {
    agentLocks.lock(tx, agent.id);
    await keys.revoke(tx, key.id, agent.id, now);
    return { id: key.id };
  },
);
