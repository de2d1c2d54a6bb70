import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DialFailure, DialResult, OutgoingRequest } from '../../outgoing/dial.ts';
import type { Hook } from './rules.ts';

/**
 * The protocol service-webhook/1: what is sent, how it is signed with HMAC-SHA256 (RFC 2104), and
 * what counts as an answer.
 */

const computeHmac = (secret: Buffer, text: string): string =>
  createHmac('sha256', secret).update(text, 'utf8').digest('hex');

/** Builds a signed POST to a receiver. `at` is the time of this attempt, in milliseconds. */
export function buildSignedRequest(
  url: string,
  body: string,
  secret: Buffer,
  at: number,
): OutgoingRequest {
  const timestamp = String(Math.floor(at / 1000));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'service-webhook/1',
    'x-service-timestamp': timestamp,
    'x-service-signature': `v1=${computeHmac(secret, `${timestamp}.${body}`)}`,
  };
  return { url, headers, body };
}

/** Formats the body of a challenge. */
export const formatChallenge = (hookId: string, challenge: string): string =>
  JSON.stringify({ type: 'webhook.verify', hookId, challenge });

/** Formats the body of a hint. It is the same for every attempt to deliver one notification. */
export const formatHint = ({ id, deliveryId, deliveryCreatedAt }: Hook): string =>
  JSON.stringify({
    type: 'events.available',
    hookId: id,
    deliveryId,
    createdAt: deliveryCreatedAt,
  });

/** The reason for which an answer does not accept a request. */
export type DeliveryFault = DialFailure | 'redirect' | 'status';

/** Returns why an answer does not accept the request; undefined for a 2xx status. */
export function findFault(answer: DialResult): DeliveryFault | undefined {
  if ('failure' in answer) return answer.failure;
  if (answer.status >= 200 && answer.status < 300) return undefined;
  return answer.status >= 300 && answer.status < 400 ? 'redirect' : 'status';
}

const PROOF_HEADER = 'x-service-challenge-response';

/** Returns why an answer does not prove that its sender has the secret; undefined if it does. */
export function findProofFault(
  answer: DialResult,
  challenge: string,
  secret: Buffer,
): DeliveryFault | 'missing_proof' | 'wrong_proof' | undefined {
  const fault = findFault(answer);
  if (fault !== undefined || 'failure' in answer) return fault;
  const proof = answer.headers[PROOF_HEADER];
  if (typeof proof !== 'string' || proof === '') return 'missing_proof';
  const expected = Buffer.from(computeHmac(secret, `verify.${challenge}`));
  const given = Buffer.from(proof);
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? undefined
    : 'wrong_proof';
}
