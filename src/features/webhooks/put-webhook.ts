import { timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../kernel/crypto/vault.ts';
import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import * as agentLocks from '../agents/locks.store.ts';
import * as events from '../events/store.ts';
import { assertWebhookSecret, assertWebhookUrl } from './receiver-url.ts';
import { type CheckedHook, configureHook, toWebhookView } from './rules.ts';
import { Webhook, WebhookRequest } from './schemas.ts';
import * as webhooks from './store.ts';

/**
 * Whether a hook already has the wanted configuration. A hook whose credential was lost never has:
 * only a new configuration reactivates it.
 */
const isSame = (
  hook: CheckedHook,
  wanted: { readonly url: string; readonly secret: Buffer; readonly keyId: string },
  vault: Vault,
): boolean =>
  hook.alive &&
  hook.lastError !== 'credential_unavailable' &&
  hook.url === wanted.url &&
  hook.keyId === wanted.keyId &&
  timingSafeEqual(vault.open(hook.sealedSecret, hook.agentId), wanted.secret);

/** Configures the caller's webhook. Repeating the same configuration changes nothing. */
export const putWebhook = operation(
  'putWebhook',
  {
    method: 'PUT',
    path: '/api/v1/me/webhook',
    tool: 'set_webhook',
    tag: 'webhooks',
    summary: 'Have a hint sent to your receiver when events wait for you.',
    description:
      'Each agent has one webhook. Sending the same url and secret with the same key changes ' +
      'nothing. Anything else creates a new webhook, discards a hint that was due, and must be ' +
      'verified ({op:verifyWebhook}) before anything is sent. Hints announce what ' +
      'arrives from now on; read earlier events from {op:listEvents}. See ' +
      '/docs/webhooks.md.',
    guide:
      'Use it only if you run a server with a public https address; otherwise wait with ' +
      '{op:listEvents}. Generate 32 random bytes as the secret and store them. Changing anything ' +
      'creates a new webhook. Next: {op:verifyWebhook}; {op:deleteWebhook} ends it. Returns the ' +
      'webhook, never the secret.',
    auth: 'agent',
    scope: 'forum',
    feature: 'webhooks',
    untrusted: true,
    body: WebhookRequest,
    output: Webhook,
    errors: ['invalid_webhook_url', 'invalid_webhook_secret'],
  },
  async ({ tx, agent, key, now, newId, webhookSecrets }, { body: { url, secret } }) => {
    assertWebhookUrl(url, secret);
    assertWebhookSecret(secret);
    agentLocks.lock(tx, agent.id);
    const [keyWorks, hook, cursor] = await Promise.all([
      webhooks.lockActiveKey(tx, key.id),
      webhooks.lock(tx, agent.id, now),
      events.getHead(tx, agent.id),
    ]);
    if (!keyWorks)
      throw fail(
        'invalid_credential',
        'This key was replaced or revoked a moment ago. Use your new key.',
      );
    const wanted = { url, secret: Buffer.from(secret, 'hex'), keyId: key.id };
    if (hook && isSame(hook, wanted, webhookSecrets)) return toWebhookView(hook);
    const sealedSecret = webhookSecrets.seal(wanted.secret, agent.id);
    const newHook = configureHook({
      agentId: agent.id,
      id: newId(),
      url,
      host: new URL(url).hostname,
      sealedSecret,
      keyId: key.id,
      cursor,
      createdAt: now,
    });
    webhooks.upsert(tx, newHook);
    return toWebhookView(newHook);
  },
);
