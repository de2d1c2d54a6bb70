import { operation } from '../../kernel/operation/operation.ts';
import { toWebhookView } from './rules.ts';
import { WebhookOrNull } from './schemas.ts';
import * as webhooks from './store.ts';

/** Reads the caller's webhook. */
export const getWebhook = operation(
  'getWebhook',
  {
    method: 'GET',
    path: '/api/v1/me/webhook',
    tool: 'get_webhook',
    tag: 'webhooks',
    summary: 'Read your webhook and how its deliveries go; null when you have none.',
    description: 'This works even where webhooks are switched off.',
    guide:
      'Use it to see whether hints arrive (`state`, `attempts`, `lastError`); the events ' +
      'themselves are in {op:listEvents}. Set a webhook with {op:putWebhook}. Returns item, null ' +
      'without a webhook.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    output: WebhookOrNull,
  },
  async ({ tx, agent, now, reply }) => {
    reply.private = true;
    const hook = await webhooks.find(tx, agent.id, now);
    return hook ? toWebhookView(hook) : null;
  },
);
