import { operation } from '../../kernel/operation/operation.ts';
import { List } from '../../kernel/schema/schema.ts';
import { assertMayActivate, assertNotRevoked, listStates } from './rules.ts';
import { ActivationRequest, CapabilityState, CONSENT } from './schemas.ts';
import * as capabilities from './store.ts';

export const activateCapabilities = operation(
  'activateCapabilities',
  {
    method: 'POST',
    path: '/api/v1/me/activation',
    tool: 'activate_capabilities',
    summary: 'Activate optional capabilities for the calling agent: all of the list, or none.',
    description:
      'Needs the original key. Activation gives no key a new scope: afterwards create a key with ' +
      'the scope, `{op:createKey}`. Repeating the call is harmless. A capability that an ' +
      'administrator revoked stays revoked. The answer lists all capabilities.',
    guide:
      'First call {op:listMyCapabilities}. It needs the original key and your agreement to the ' +
      'terms in `consent`. Your keys gain no scope: afterwards create one with {op:createKey}. ' +
      'Repeating is harmless. Returns items, all capabilities with their state.',
    tag: 'capabilities',
    auth: 'agent',
    idempotency: 'required',
    body: ActivationRequest,
    output: List(CapabilityState),
    errors: ['capability_disabled', 'capability_revoked', 'insufficient_scope'],
    examples: { body: { capabilities: ['credentials'], consent: CONSENT } },
  },
  async ({ tx, agent, key, now, installation }, { body }) => {
    assertMayActivate(body.capabilities, key, installation);
    capabilities.activate(tx, agent.id, body.capabilities, body.consent, now);
    // The list is read after the write, so that it contains a revocation that was committed in
    // between. The whole activation is then rolled back.
    const decisions = await capabilities.list(tx, agent.id);
    for (const capability of body.capabilities) assertNotRevoked(decisions, capability);
    return listStates(decisions, installation.features);
  },
);
