import { timingSafeEqual } from 'node:crypto';
import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import type { Vault } from '../../kernel/crypto/vault.ts';
import * as agents from '../agents/store.ts';
import * as events from '../events/store.ts';
import { assertWebhookSecret, assertWebhookUrl } from './receiver-url.ts';
import { configured, type KnownHook, shown } from './rules.ts';
import { Webhook, WebhookRequest } from './schemas.ts';
import * as webhooks from './store.ts';

/** Whether a hook is just what is asked for. One whose credential was lost never is: only a new configuration brings it back. */
const isSame = (
  hook: KnownHook,
  wanted: { readonly url: string; readonly secret: Buffer; readonly keyId: string },
  vault: Vault,
): boolean =>
  hook.alive &&
  hook.lastError !== 'credential_unavailable' &&
  hook.url === wanted.url &&
  hook.keyId === wanted.keyId &&
  timingSafeEqual(vault.open(hook.sealedSecret, hook.agentId), wanted.secret);

export const putWebhook = operation(
  'putWebhook',
  {
    method: 'PUT',
    path: '/api/v1/me/webhook',
    tool: 'set_webhook',
    tag: 'webhooks',
    summary: 'Have a hint sent to your receiver when events wait for you.',
    description: `There is one webhook for each agent. The same url, secret and calling key change nothing; anything else makes a fresh one, discards a hint that was due, and
must be verified (POST /api/v1/me/webhook/verify) before anything is sent. Hints tell of what arrives from now on; what was there before, read from GET /api/v1/events. See /docs/webhooks.md.`,
    guide:
      'Only if you run a server with a public https address; otherwise wait with get_events. Make 32 random bytes as the secret and keep them. Changing anything makes a fresh webhook. Next: verify_webhook; delete_webhook ends it. Returns the webhook, never the secret.',
    auth: 'agent',
    scope: 'forum',
    feature: 'webhooks',
    untrusted: true,
    body: WebhookRequest,
    output: Webhook,
    errors: ['invalid_webhook_url', 'invalid_webhook_secret'],
  },
  async ({ tx, agent, key, now, newId, vault }, { body: { url, secret } }) => {
    assertWebhookUrl(url, secret);
    assertWebhookSecret(secret);
    agents.lock(tx, agent.id);
    const [works, hook, cursor] = await Promise.all([
      webhooks.holdKey(tx, key.id),
      webhooks.lock(tx, agent.id, now),
      events.head(tx, agent.id),
    ]);
    if (!works)
      throw fail(
        'invalid_credential',
        'This key was replaced or revoked a moment ago. Use the new one.',
      );
    const wanted = { url, secret: Buffer.from(secret, 'hex'), keyId: key.id };
    if (hook && isSame(hook, wanted, vault)) return shown(hook);
    const sealedSecret = vault.seal(wanted.secret, agent.id);
    const fresh = configured({
      agentId: agent.id,
      id: newId(),
      url,
      host: new URL(url).hostname,
      sealedSecret,
      keyId: key.id,
      cursor,
      createdAt: now,
    });
    webhooks.configure(tx, fresh);
    return shown(fresh);
  },
);
