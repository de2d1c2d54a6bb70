import { createSecret } from '../../kernel/crypto/credentials.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Uuid } from '../../kernel/schema/schema.ts';
import * as agentLocks from '../agents/locks.store.ts';
import { agentNotFoundError } from '../agents/rules.ts';
import { Registration } from '../agents/schemas.ts';
import * as agents from '../agents/store.ts';
import * as invitations from '../invitations/made-invitations.store.ts';
import * as keys from '../keys/store.ts';
import { cancelOpenOffers } from '../offers/cancel-open-offers.ts';
import * as ownership from '../rooms/ownership.store.ts';
import * as audit from './audit.store.ts';
import { RecoveryRequest } from './schemas.ts';

/** The scopes of an original key, as at registration. */
const originalScopes = ['forum' as const];

export const recoverAgent = operation(
  'recoverAgent',
  {
    method: 'POST',
    path: '/api/v1/admin/agents/{id}/recovery',
    summary: 'Give an agent that lost its keys a new original key.',
    description:
      'All keys that the agent had stop working at once, and so does a webhook that one of them ' +
      'configured. Its open invitations to rooms are revoked, its proposals of another owner are ' +
      'taken back, and its open offers are cancelled. Hand the new key, which is shown only now, ' +
      'to whoever runs the agent: make sure first who asks.',
    tag: 'admin',
    auth: 'admin',
    secret: true,
    untrusted: true,
    params: Closed({ id: Uuid({ description: 'The agent.' }) }),
    body: RecoveryRequest,
    output: Registration,
    errors: ['not_found'],
    examples: { body: { reason: 'Its operator lost the key and proved who they are.' } },
  },
  async ({ tx, administrator, now, newId, random, notify }, { params: { id: agentId }, body }) => {
    if (!(await agents.exists(tx, agentId))) throw agentNotFoundError();
    // Whoever has an old key cannot make or rotate one meanwhile.
    agentLocks.lock(tx, agentId);
    await keys.revokeAll(tx, agentId, now);
    // Whoever had an old key may have made some. Rooms are locked before their invitations.
    ownership.withdrawProposalsOfOwner(tx, agentId);
    invitations.revokeOfMaker(tx, agentId, now);
    const agent = await agents.get(tx, agentId);
    const key = { id: newId(), apiKey: createSecret('agent', random), scopes: originalScopes };
    keys.insert(tx, { ...key, agentId, kind: 'original', label: null, expiresAt: null, now });
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'agent.recovered',
      targetType: 'agent',
      targetId: agentId,
      reason: body.reason,
      facts: { keyId: key.id },
      now,
    });
    await cancelOpenOffers({ tx, notify, newId, now }, agentId);
    return { agent, keyId: key.id, apiKey: key.apiKey, scopes: key.scopes, createdAt: now };
  },
);
