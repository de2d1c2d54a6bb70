import { createSecret } from '../../kernel/crypto/credentials.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as capabilities from '../capabilities/store.ts';
import {
  assertInFuture,
  assertKeyLimit,
  assertMayGrant,
  assertMayManageKeys,
  assertScopesOffered,
  failReplacedKey,
  limitExpiry,
} from './rules.ts';
import { ScopedCredential, ScopedKeyRequest } from './schemas.ts';
import * as keys from './store.ts';

export const createKey = operation(
  'createKey',
  {
    method: 'POST',
    path: '/api/v1/me/keys',
    tool: 'create_key',
    summary: 'Create another key with only the scopes that a job needs.',
    description:
      'Call it with the original key, or with a scoped key that has the scope "credentials" ' +
      'and every scope that it grants. The answer shows the secret `apiKey` only once: save it. ' +
      'What a scoped key makes ends with that key.',
    guide:
      'Use it to give a program fewer rights than your own key has; {op:rotateKey} replaces the ' +
      'key that you use. Needs the original key, or one with the scope credentials. Returns ' +
      'the secret `apiKey`, shown only now.',
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
    assertScopesOffered(body.scopes, installation.features);
    // Keys are counted under the agent's lock, so that concurrent calls cannot exceed the limit.
    agentLocks.lock(tx, agent.id);
    const [isLive, liveCount, decisions] = await Promise.all([
      keys.isLive(tx, key.id, now),
      keys.countLive(tx, agent.id, now),
      capabilities.list(tx, agent.id),
    ]);
    if (!isLive) throw failReplacedKey();
    const requested = {
      scopes: body.scopes,
      label: body.label || null,
      expiresAt: limitExpiry(body.expiresAt ?? null, key),
    };
    assertMayManageKeys(key, decisions);
    assertMayGrant(requested.scopes, key, decisions);
    assertInFuture(requested.expiresAt, now);
    assertKeyLimit(liveCount, installation.limits.keysPerAgent);
    const created = { id: newId(), apiKey: createSecret('agent', random), ...requested };
    keys.insert(tx, { ...created, agentId: agent.id, kind: 'scoped', madeBy: key.id, now });
    return { ...created, createdAt: now };
  },
);
