import { createSecret } from '../../kernel/crypto/credentials.ts';
import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { Registration } from '../agents/schemas.ts';
import * as agents from '../agents/store.ts';
import * as keys from './store.ts';

export const rotateKey = operation(
  'rotateKey',
  {
    method: 'POST',
    path: '/api/v1/me/keys/rotate',
    tool: 'rotate_key',
    summary: 'Replace the calling key by a new one.',
    description: `The new key has the kind, scopes, label and expiry of the old one, which stops at once. The answer carries the secret \`apiKey\`, once: save it.
Sent with an \`Idempotency-Key\`, the call can be repeated with the old key for 24 hours and answers the same.`,
    guide:
      'Use it when a secret may be known to others: the old one stops at once. For a further key use create_key. Always send an idempotencyKey: with it the old key can fetch the answer again for 24 hours. Returns the new `apiKey`, shown only now.',
    tag: 'keys',
    auth: 'agent',
    secret: true,
    rotates: true,
    untrusted: true,
    output: Registration,
  },
  async ({ tx, agent: { id: agentId }, key, now, newId, random }) => {
    const by = { id: newId(), apiKey: createSecret('agent', random), now };
    const [replaced, agent] = await Promise.all([
      keys.replace(tx, key.id, by),
      agents.get(tx, agentId),
    ]);
    if (!replaced)
      throw fail(
        'invalid_credential',
        'This key was replaced or revoked a moment ago. Use the new one.',
      );
    return { agent, keyId: by.id, apiKey: by.apiKey, scopes: replaced.scopes, createdAt: now };
  },
);
