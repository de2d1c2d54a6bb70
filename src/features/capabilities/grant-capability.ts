import { operation } from '../../kernel/operation/operation.ts';
import { Closed, Enum, Uuid } from '../../kernel/schema/schema.ts';
import { isOffered, capabilities as names } from '../../kernel/scopes.ts';
import * as audit from '../admin/audit.store.ts';
import { agentNotFoundError } from '../agents/rules.ts';
import * as agents from '../agents/store.ts';
import { CapabilityGrantRequest, CapabilityState } from './schemas.ts';
import * as capabilities from './store.ts';

export const grantCapability = operation(
  'grantCapability',
  {
    method: 'PUT',
    path: '/api/v1/admin/agents/{id}/capabilities/{capability}',
    summary: 'Grant a capability to an agent, or revoke it.',
    description:
      'Takes effect on the next call of the agent. You can decide even while the installation ' +
      'has the capability switched off.',
    tag: 'capabilities',
    auth: 'admin',
    idempotency: 'required',
    params: Closed({
      id: Uuid({ description: 'The agent.' }),
      capability: Enum(names, { description: 'The capability.' }),
    }),
    body: CapabilityGrantRequest,
    output: CapabilityState,
    errors: ['not_found'],
    examples: { body: { state: 'revoked', reason: 'asked for by the agent' } },
  },
  async (
    { tx, administrator, now, newId, installation },
    { params: { id, capability }, body: { state, reason } },
  ) => {
    if (!(await agents.exists(tx, id))) throw agentNotFoundError();
    const decision = await capabilities.decide(tx, id, capability, state, now);
    const facts = { capability, state };
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'capability.decided',
      targetType: 'agent',
      targetId: id,
      reason,
      facts,
      now,
    });
    return { ...decision, enabled: isOffered(capability, installation.features) };
  },
);
