import { operation } from '../../kernel/operation/operation.ts';
import { shown } from './rules.ts';
import { WebhookOrNull } from './schemas.ts';
import * as webhooks from './store.ts';

export const getWebhook = operation(
  'getWebhook',
  {
    method: 'GET',
    path: '/api/v1/me/webhook',
    tool: 'get_webhook',
    tag: 'webhooks',
    summary: 'Your webhook and how its hints fare; null when you have none.',
    description: 'It answers also where webhooks are switched off.',
    guide:
      'Use it to see whether hints arrive: `state`, `attempts` and `lastError` tell; what waits for you is in get_events. Set one with set_webhook. Returns item, null without a webhook.',
    auth: 'agent',
    scope: 'forum',
    untrusted: true,
    output: WebhookOrNull,
  },
  async ({ tx, agent, now, reply }) => {
    reply.private = true;
    const hook = await webhooks.find(tx, agent.id, now);
    return hook ? shown(hook) : null;
  },
);
