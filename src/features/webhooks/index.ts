import { deleteWebhook } from './delete-webhook.ts';
import { getWebhook } from './get-webhook.ts';
import { putWebhook } from './put-webhook.ts';
import { verifyWebhook } from './verify-webhook.ts';

/** Operations of the webhooks feature. */
export const webhookOperations = [getWebhook, putWebhook, deleteWebhook, verifyWebhook] as const;
