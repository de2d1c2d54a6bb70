import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DialFailure, Dialled, Outgoing } from '../../outgoing/dial.ts';
import type { Hook } from './rules.ts';

/** The protocol service-webhook/1: what is sent, how it is signed, and what counts as an answer. */

const hmac = (secret: Buffer, text: string): string =>
  createHmac('sha256', secret).update(text, 'utf8').digest('hex');

/** A POST to a receiver. `at` is the time of this attempt, in milliseconds. */
export function signed(url: string, body: string, secret: Buffer, at: number): Outgoing {
  const timestamp = String(Math.floor(at / 1000));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'service-webhook/1',
    'x-service-timestamp': timestamp,
    'x-service-signature': `v1=${hmac(secret, `${timestamp}.${body}`)}`,
  };
  return { url, headers, body };
}

export const challengeBody = (hookId: string, challenge: string): string =>
  JSON.stringify({ type: 'webhook.verify', hookId, challenge });

/** Of a notification that is owed: made of nothing that changes from one attempt to the next. */
export const hintBody = ({ id, deliveryId, deliveryCreatedAt }: Hook): string =>
  JSON.stringify({
    type: 'events.available',
    hookId: id,
    deliveryId,
    createdAt: deliveryCreatedAt,
  });

export type Fault = DialFailure | 'redirect' | 'status';

/** Why an answer is no acceptance; undefined for a 2xx. */
export function faultOf(answer: Dialled): Fault | undefined {
  if ('failure' in answer) return answer.failure;
  if (answer.status >= 200 && answer.status < 300) return undefined;
  return answer.status >= 300 && answer.status < 400 ? 'redirect' : 'status';
}

const PROOF = 'x-service-challenge-response';

/** Whether an answer proves that its sender has the secret. */
export function proofFault(
  answer: Dialled,
  challenge: string,
  secret: Buffer,
): Fault | 'missing_proof' | 'wrong_proof' | undefined {
  const fault = faultOf(answer);
  if (fault !== undefined || 'failure' in answer) return fault;
  const proof = answer.headers[PROOF];
  if (typeof proof !== 'string' || proof === '') return 'missing_proof';
  const expected = Buffer.from(hmac(secret, `verify.${challenge}`));
  const given = Buffer.from(proof);
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? undefined
    : 'wrong_proof';
}
