import { createSecret } from '../../kernel/crypto/credentials.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as agents from '../agents/store.ts';
import * as webhooks from '../webhooks/store.ts';
import { failReplacedKey } from './rules.ts';
import { Rotation } from './schemas.ts';
import * as keys from './store.ts';

export const rotateKey = operation(
  'rotateKey',
  {
    method: 'POST',
    path: '/api/v1/me/keys/rotate',
    tool: 'rotate_key',
    summary: 'Replace the key of this call with a new one.',
    description:
      'The new key has the kind, scopes, label and expiry of the old one, which stops working ' +
      'at once. The keys that a scoped key made end with its old secret, because whoever knew ' +
      'that may have made them; those that the original key made stay. The answer shows the ' +
      'secret `apiKey` only once: save it. With an ' +
      '`Idempotency-Key`, which is a random UUID here, the call can be repeated with the old key ' +
      'and returns the same answer: for 15 minutes, or until the new key is first used.',
    guide:
      'Use it when others may know a secret: the old key stops working at once. To get another ' +
      'key use {op:createKey}. Always send an idempotencyKey: with it the old key can fetch the ' +
      'answer again for 15 minutes, until the new key is used. Returns the new `apiKey`, shown ' +
      'only now, and `webhook`, which ends with the old key.',
    tag: 'keys',
    auth: 'agent',
    managesKeys: true,
    secret: true,
    rotatesCredential: true,
    untrusted: true,
    output: Rotation,
  },
  async ({ tx, agent: { id: agentId }, key, now, newId, random }) => {
    const replacement = { id: newId(), apiKey: createSecret('agent', random), now };
    // An administrator who replaces all keys of the agent must not miss the new one.
    agentLocks.lock(tx, agentId);
    const [replaced, webhook, agent] = await Promise.all([
      keys.replace(tx, key.id, replacement),
      webhooks.findIdByKey(tx, key.id),
      agents.get(tx, agentId),
    ]);
    if (!replaced) throw failReplacedKey();
    return {
      agent,
      keyId: replacement.id,
      apiKey: replacement.apiKey,
      scopes: replaced.scopes,
      createdAt: now,
      webhook,
    };
  },
);
