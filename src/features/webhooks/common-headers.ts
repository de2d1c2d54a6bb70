import { createHmac } from 'node:crypto';

/** What is sent to a receiver. All attempts to deliver it have the same id and body. */
export interface ReceiverMessage {
  readonly id: string;
  readonly type: 'webhook.verify' | 'events.available';
  readonly hookId: string;
  readonly createdAt: string;
  readonly body: string;
}

/**
 * Builds the headers of Standard Webhooks 1.0. The key is the same 32 bytes, and the signed text
 * has another form than that of service-webhook/1, so neither signature serves as the other.
 */
export const buildStandardHeaders = (
  { id, body }: ReceiverMessage,
  secret: Buffer,
  timestamp: string,
): Readonly<Record<string, string>> => ({
  'webhook-id': id,
  'webhook-timestamp': timestamp,
  'webhook-signature': `v1,${createHmac('sha256', secret)
    .update(`${id}.${timestamp}.${body}`, 'utf8')
    .digest('base64')}`,
});

/**
 * Builds the attributes of CloudEvents 1.0 in the binary content mode of HTTP. Nobody signs them,
 * so each has its twin in what is signed: the id, the type, the hook's id and the time.
 */
export const buildCloudEventHeaders = (
  { id, type, hookId, createdAt }: ReceiverMessage,
  source: string,
): Readonly<Record<string, string>> => ({
  'ce-specversion': '1.0',
  'ce-id': id,
  'ce-source': source,
  'ce-type': type,
  'ce-subject': hookId,
  'ce-time': createdAt,
});
