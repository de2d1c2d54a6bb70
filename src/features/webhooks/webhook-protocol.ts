import { createHmac, timingSafeEqual } from 'node:crypto';
import { toIso } from '../../kernel/clock.ts';
import type { DialFailure, DialResult, OutgoingRequest } from '../../outgoing/dial.ts';
import {
  buildCloudEventHeaders,
  buildStandardHeaders,
  type ReceiverMessage,
} from './common-headers.ts';
import type { Hook } from './rules.ts';

/**
 * The protocol service-webhook/1: what is sent, how it is signed with HMAC-SHA256 (RFC 2104), and
 * what counts as an answer.
 */

const computeHmac = (secret: Buffer, text: string): string =>
  createHmac('sha256', secret).update(text, 'utf8').digest('hex');

/** Where a message goes, with the secret that its receiver has. */
export interface SigningReceiver {
  readonly url: string;
  readonly secret: Buffer;
}

/**
 * Builds a signed POST to a receiver. `at` is the time of this attempt, in milliseconds. `source`
 * is the address of the installation.
 */
export function buildSignedRequest(
  { url, secret }: SigningReceiver,
  message: ReceiverMessage,
  source: string,
  at: number,
): OutgoingRequest {
  const timestamp = String(Math.floor(at / 1000));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'service-webhook/1',
    'x-service-timestamp': timestamp,
    'x-service-signature': `v1=${computeHmac(secret, `${timestamp}.${message.body}`)}`,
    ...buildStandardHeaders(message, secret, timestamp),
    ...buildCloudEventHeaders(message, source),
  };
  return { url, headers, body: message.body };
}

/** A challenge before it is sent. `id` names its attempt, `at` is its time in milliseconds. */
interface Challenge {
  readonly id: string;
  readonly hookId: string;
  readonly challenge: string;
  readonly at: number;
}

/**
 * Builds the message of a challenge. Its time has whole seconds, as the signed timestamp has, so
 * that a receiver can compare them.
 */
export function buildChallenge({ id, hookId, challenge, at }: Challenge): ReceiverMessage {
  const type = 'webhook.verify';
  const createdAt = toIso(Math.floor(at / 1000) * 1000);
  return { id, type, hookId, createdAt, body: JSON.stringify({ type, hookId, challenge }) };
}

/** The members of a hook that a hint shows. */
type HintedHook = Pick<Hook, 'id' | 'deliveryId' | 'deliveryCreatedAt'>;

/** Builds the message of a hint. It is the same for every attempt to deliver one notification. */
export function buildHint({
  id: hookId,
  deliveryId,
  deliveryCreatedAt: createdAt,
}: HintedHook): ReceiverMessage {
  if (deliveryId === null || createdAt === null)
    throw new Error(`The hook ${hookId} owes no notification.`);
  const type = 'events.available';
  const body = JSON.stringify({ type, hookId, deliveryId, createdAt });
  return { id: deliveryId, type, hookId, createdAt, body };
}

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
