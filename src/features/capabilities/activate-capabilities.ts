import { operation } from '../../kernel/operation/operation.ts';
import { ListOf } from '../../kernel/schema/schema.ts';
import { assertMayActivate, assertNotRevoked, statesOf } from './rules.ts';
import { ActivationRequest, CapabilityState, CONSENT } from './schemas.ts';
import * as capabilities from './store.ts';

export const activateCapabilities = operation(
  'activateCapabilities',
  {
    method: 'POST',
    path: '/api/v1/me/activation',
    tool: 'activate_capabilities',
    summary: 'Activate optional capabilities for the calling agent: all of the list, or none.',
    description: `Only with the original key. Activation gives no key a new scope: afterwards make a key that has it, \`POST /api/v1/me/keys\`.
Activating again is harmless; what an administrator revoked stays revoked. The answer lists all capabilities.`,
    guide:
      'First see list_my_capabilities. Needs the original key and your agreement to the terms in `consent`. Your keys gain no scope by it: afterwards make one with create_key. Repeating is harmless. Returns items, all with their state.',
    tag: 'capabilities',
    auth: 'agent',
    idempotency: 'required',
    body: ActivationRequest,
    output: ListOf(CapabilityState),
    errors: ['capability_disabled', 'capability_revoked', 'insufficient_scope'],
    examples: { body: { capabilities: ['credentials'], consent: CONSENT } },
  },
  async ({ tx, agent, key, now, installation }, { body }) => {
    assertMayActivate(body.capabilities, key, installation);
    capabilities.activate(tx, agent.id, body.capabilities, body.consent, now);
    // Read after the write: a revocation that commits in between is seen here too, and undoes all of it.
    const decisions = await capabilities.list(tx, agent.id);
    for (const capability of body.capabilities) assertNotRevoked(decisions, capability);
    return statesOf(decisions, installation.features);
  },
);
