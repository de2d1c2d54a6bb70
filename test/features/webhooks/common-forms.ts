import type { IncomingHttpHeaders } from 'node:http';
import { CloudEvent, HTTP } from 'cloudevents';
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';

/** Checks what receivers of the common forms would accept, with the libraries of these forms. */

/** A request as it arrived. */
export interface ArrivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
}

/** Returns whether a request is a hint or a challenge, and not one of another test. */
export const isFromService = ({ headers }: ArrivedRequest): boolean =>
  headers['x-service-signature'] !== undefined;

/** Converts a secret of ours to one of Standard Webhooks. */
export const toStandardSecret = (secret: string): string =>
  `whsec_${Buffer.from(secret, 'hex').toString('base64')}`;

/** Asserts that one text is another. */
function assertSame(given: unknown, expected: unknown, what: string): void {
  if (given !== expected) throw new Error(`${what} is ${given}, not ${expected}.`);
}

/**
 * Asserts what both libraries demand, and that what nobody signs agrees with what is signed. The
 * library takes the time from the process, which is set to `second` meanwhile.
 */
function assertAccepted({ headers, raw }: ArrivedRequest, secret: string, second: number): void {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(second * 1000);
  try {
    const signed = new Webhook(toStandardSecret(secret)).verify(
      raw,
      headers as Record<string, string>,
    ) as Record<string, unknown>;
    const event = HTTP.toEvent<Record<string, unknown>>({ headers, body: raw });
    if (!(event instanceof CloudEvent)) throw new Error('It is more than one event.');
    event.validate();
    assertSame(JSON.stringify(event.data), JSON.stringify(signed), 'data');
    assertSame(event.type, signed.type, 'ce-type');
    assertSame(event.subject, signed.hookId, 'ce-subject');
    assertSame(event.id, headers['webhook-id'], 'ce-id');
    const isHint = signed.type === 'events.available';
    if (isHint) assertSame(event.id, signed.deliveryId, 'ce-id');
    const time = isHint ? signed.createdAt : new Date(second * 1000).toISOString();
    assertSame(headers['ce-time'], time, 'ce-time');
    assertSame(headers['webhook-timestamp'], headers['x-service-timestamp'], 'webhook-timestamp');
  } finally {
    clock.mockRestore();
  }
}

/**
 * Returns why receivers of the common forms refuse a request that arrives at `second`; undefined if
 * they accept it.
 */
export function findFormFault(
  request: ArrivedRequest,
  secret: string,
  second = Number(request.headers['x-service-timestamp']),
): string | undefined {
  try {
    assertAccepted(request, secret, second);
    return undefined;
  } catch (error) {
    return String(error);
  }
}
