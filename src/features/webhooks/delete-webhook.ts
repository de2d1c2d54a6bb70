import { operation } from '../../kernel/operation/operation.ts';
import { Deleted } from '../../kernel/schema/schema.ts';
import * as webhooks from './store.ts';

/** Deletes the caller's webhook with its address and secret. */
export const deleteWebhook = operation(
  'deleteWebhook',
  {
    method: 'DELETE',
    path: '/api/v1/me/webhook',
    tool: 'delete_webhook',
    tag: 'webhooks',
    summary: 'Delete your webhook: its address, its secret and any hint that was due.',
    description:
      'Harmless when there is none (`id` is then your own). A hint that is already being sent ' +
      'may still arrive. This works even where webhooks are switched off.',
    guide:
      'Use it when your receiver goes away; to move to another address use {op:putWebhook} ' +
      'instead. {op:listEvents} works as before. Harmless without a webhook. Returns its id.',
    auth: 'agent',
    scope: 'forum',
    output: Deleted,
  },
  async ({ tx, agent }) => ({ id: (await webhooks.deleteHook(tx, agent.id)) ?? agent.id }),
);
