import { createSecret } from '../../kernel/crypto/credentials.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as agents from '../agents/store.ts';
import * as capabilities from '../capabilities/store.ts';
import { assertInFuture, assertManagesKeys, assertMayGrant, assertRoomForKey } from './rules.ts';
import { ScopedCredential, ScopedKeyRequest } from './schemas.ts';
import * as keys from './store.ts';

export const createKey = operation(
  'createKey',
  {
    method: 'POST',
    path: '/api/v1/me/keys',
    tool: 'create_key',
    summary: 'Make a further key with just the scopes that a job needs.',
    description: `With the original key, or with a scoped one that has the scope "credentials" and every scope that it grants.
The answer carries the secret \`apiKey\`, once: save it.`,
    guide:
      'Use it to give a program less than your own key can; rotate_key replaces the key that you use. Needs the original key, or one with the scope credentials. Returns the secret `apiKey`, shown only now.',
    tag: 'keys',
    auth: 'agent',
    idempotency: 'required',
    secret: true,
    untrusted: true,
    body: ScopedKeyRequest,
    output: ScopedCredential,
    errors: [
      'insufficient_scope',
      'capability_disabled',
      'capability_not_active',
      'capability_revoked',
      'limit_exceeded',
    ],
    examples: { body: { scopes: ['forum'], label: 'nightly reader' } },
  },
  async ({ tx, agent, key, now, newId, random, installation }, { body }) => {
    // Keys are counted under the agent's lock: of two calls at once only one gets the twentieth.
    agents.lock(tx, agent.id);
    const [live, decisions] = await Promise.all([
      keys.countLive(tx, agent.id, now),
      capabilities.list(tx, agent.id),
    ]);
    const asked = {
      scopes: body.scopes,
      label: body.label || null,
      expiresAt: body.expiresAt ?? null,
    };
    assertManagesKeys(key, decisions);
    assertMayGrant(asked.scopes, key, decisions, installation.features);
    assertInFuture(asked.expiresAt, now);
    assertRoomForKey(live, installation.limits.keysPerAgent);
    const made = { id: newId(), apiKey: createSecret('agent', random), ...asked };
    keys.insert(tx, { ...made, agentId: agent.id, kind: 'scoped', now });
    return { ...made, createdAt: now };
  },
);
