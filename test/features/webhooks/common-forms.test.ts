import { describe, expect, it } from 'vitest';
import {
  buildChallenge,
  buildHint,
  buildSignedRequest,
} from '../../../src/features/webhooks/webhook-protocol.ts';
import { startApp } from '../../support/app.ts';
import { type ArrivedRequest, findFormFault } from './common-forms.ts';
import {
  accept,
  answerWith,
  buildDialSetting,
  buildWebhookSettings,
  OTHER_SECRET,
  onlyForHints,
  type ReceivedRequest,
  SECRET,
  startReceiver,
} from './receiver.ts';
import { webhookHelpers } from './setup.ts';

const receiver = await startReceiver();
const app = await startApp(buildWebhookSettings(buildDialSetting(receiver.port)));
const { setUp, advanceAndRun } = webhookHelpers(app);

/** A challenge, a hint and a retry of that hint, which come from the service. */
async function receiveThree(): Promise<readonly ReceivedRequest[]> {
  const before = receiver.received.length;
  const { post } = await setUp();
  receiver.setBehaviour(onlyForHints(answerWith(500)));
  await post();
  await advanceAndRun(5);
  receiver.setBehaviour(accept);
  await advanceAndRun(7);
  return receiver.received.slice(before);
}

const received = await receiveThree();

/** Yields a text with one bit flipped, for each of its bits. */
function* flipBits(text: string): Generator<string> {
  const bytes = Buffer.from(text);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const flipped = Buffer.from(bytes);
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    yield flipped.toString('utf8');
  }
}

/** Counts the flips that are accepted, which must be none, and all flips. */
function countAccepted(
  request: ArrivedRequest,
  text: string,
  change: (flipped: string) => ArrivedRequest,
): { accepted: number; flips: number } {
  const second = Number(request.headers['webhook-timestamp']);
  const flips = [...flipBits(text)];
  const accepted = flips.filter(
    (flipped) => findFormFault(change(flipped), SECRET, second) === undefined,
  );
  return { accepted: accepted.length, flips: flips.length };
}

describe('a challenge, a hint and its retry', () => {
  it('[hint.standard-webhooks] [hint.cloudevents] are accepted by both libraries', () => {
    expect(received.map(({ body }) => body.type)).toEqual([
      'webhook.verify',
      'events.available',
      'events.available',
    ]);
    for (const request of received) {
      expect(findFormFault(request, SECRET)).toBeUndefined();
      expect(findFormFault(request, OTHER_SECRET)).toMatch(/No matching signature/);
      expect(request.headers['content-type']).toBe('application/json');
      expect(request.headers).toMatchObject({ 'ce-specversion': '1.0', 'ce-source': app.url });
    }
  });

  it('[hint.standard-webhooks] are refused with any single bit of the body flipped', () => {
    for (const request of received) {
      const { accepted, flips } = countAccepted(request, request.raw, (raw) => ({
        ...request,
        raw,
      }));
      expect({ accepted, flips }).toEqual({ accepted: 0, flips: request.raw.length * 8 });
    }
  });

  it.each([
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
    'ce-id',
    'ce-time',
    'ce-type',
    'ce-subject',
  ])('[hint.standard-webhooks] [hint.cloudevents] are refused with a bit of %s flipped', (name) => {
    for (const request of received) {
      const value = String(request.headers[name]);
      const { accepted, flips } = countAccepted(request, value, (flipped) => ({
        ...request,
        headers: { ...request.headers, [name]: flipped },
      }));
      expect({ accepted, flips }).toEqual({ accepted: 0, flips: value.length * 8 });
      expect(flips).toBeGreaterThan(0);
    }
  });

  it('[hint.standard-webhooks] are refused when they are more than five minutes old', () => {
    for (const request of received) {
      const second = Number(request.headers['webhook-timestamp']);
      expect(findFormFault({ ...request }, SECRET, second + 301)).toMatch(/too old/);
      expect(findFormFault({ ...request }, SECRET, second - 301)).toMatch(/too new/);
    }
  });

  it('[hint.common-id] keep id and time over a retry, with a new signature', () => {
    const [challenge, hint, retry] = received as [
      ReceivedRequest,
      ReceivedRequest,
      ReceivedRequest,
    ];
    for (const name of ['webhook-id', 'ce-id', 'ce-time'])
      expect(retry.headers[name]).toBe(hint.headers[name]);
    expect(hint.headers['webhook-id']).toBe(hint.body.deliveryId);
    for (const name of ['webhook-timestamp', 'webhook-signature'])
      expect(retry.headers[name]).not.toBe(hint.headers[name]);
    expect(challenge.headers['webhook-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(challenge.headers['webhook-id']).not.toBe(challenge.body.hookId);
  });
});

describe('buildSignedRequest', () => {
  const hookId = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
  const deliveryId = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e10';
  const deliveryCreatedAt = '2026-03-01T11:59:55.000Z';
  const at = Date.parse('2026-03-01T12:00:00.999Z');
  // The service sent these bodies and signatures before it knew the common forms.
  it.each([
    [
      buildHint({ id: hookId, deliveryId, deliveryCreatedAt }),
      `{"type":"events.available","hookId":"${hookId}","deliveryId":"${deliveryId}",` +
        '"createdAt":"2026-03-01T11:59:55.000Z"}',
      'v1=943f9d1d2ba06d1b8a461603f39e6a3645eea0dc487840e0f2a5950f54908811',
    ],
    [
      buildChallenge({ id: deliveryId, hookId, challenge: 'a challenge', at }),
      `{"type":"webhook.verify","hookId":"${hookId}","challenge":"a challenge"}`,
      'v1=94b8f97d53e1cfdb5ba1fef93869758cee51a975c9e36b89e2e74d5524188a05',
    ],
  ])('[hint.unchanged] keeps $type of service-webhook/1 as it was', (message, raw, signature) => {
    const url = 'https://hooks.example/stoa';
    const secret = Buffer.from(SECRET, 'hex');
    const { headers, ...request } = buildSignedRequest({ url, secret }, message, app.url, at);
    expect(request).toEqual({ url, body: raw });
    const isOurs = ([name]: [string, string]) => !/^(webhook|ce)-/.test(name);
    expect(Object.entries(headers).filter(isOurs)).toEqual([
      ['content-type', 'application/json'],
      ['user-agent', 'service-webhook/1'],
      ['x-service-timestamp', '1772366400'],
      ['x-service-signature', signature],
    ]);
  });
});
