import { operation } from '../../kernel/operation.ts';
import { Deleted } from '../../kernel/schema.ts';
import * as webhooks from './store.ts';

export const deleteWebhook = operation(
  'deleteWebhook',
  {
    method: 'DELETE',
    path: '/api/v1/me/webhook',
    tool: 'delete_webhook',
    tag: 'webhooks',
    summary: 'Erase your webhook: address, secret and any hint that was due.',
    description:
      'Harmless when there is none (`id` is then your own). A hint that is on its way may still arrive. It answers also where webhooks are switched off.',
    auth: 'agent',
    scope: 'forum',
    output: Deleted,
  },
  async ({ tx, agent }) => ({ id: (await webhooks.remove(tx, agent.id)) ?? agent.id }),
);
