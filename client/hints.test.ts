import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { challengeBody, hintBody, proofFault, signed } from '../src/features/webhooks/webhook-protocol.ts';
import type { Hook } from '../src/features/webhooks/rules.ts';
import { challengeResponse, HintError, verifyHint } from './hints.ts';

const secret = '5f1c0e9a7b3d48261f0e5d4c3b2a19087f6e5d4c3b2a1908f7e6d5c4b3a29180';
const id = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const at = Date.parse('2026-03-01T12:00:00.000Z');
const hook = { id, deliveryId: id, deliveryCreatedAt: '2026-03-01T11:59:55.000Z' } as Hook;

/** A request as the service sends it. */
const sent = (body = hintBody(hook), when = at) =>
  signed('https://hooks.example/', body, Buffer.from(secret, 'hex'), when);

/** The reason for which a request is refused; "believed" when it is not. */
function verdict(
  body: string | Uint8Array,
  headers: Parameters<typeof verifyHint>[1],
  now = at,
  key = secret,
): string {
  try {
    verifyHint(body, headers, key, now);
    return 'believed';
  } catch (error) {
    if (error instanceof HintError) return error.reason;
    throw error;
  }
}

describe('a receiver', () => {
  it('[client.verify-hint] believes what the service sends, as text or bytes, with headers of any kind', () => {
    const { body, headers } = sent();
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const hint = {
      type: 'events.available',
      hookId: id,
      deliveryId: id,
      createdAt: hook.deliveryCreatedAt,
    };
    for (const [raw, of] of [
      [body, headers],
      [Buffer.from(body), upper],
      [new TextEncoder().encode(body), new Headers(headers)],
    ] as const)
      expect(verifyHint(raw, of, secret, at)).toEqual(hint);
    const challenge = sent(challengeBody(id, 'a challenge'));
    expect(verifyHint(challenge.body, challenge.headers, secret, at)).toEqual({
      type: 'webhook.verify',
      hookId: id,
      challenge: 'a challenge',
    });
  });

  it('[client.verify-hint] believes nothing that was changed, by a single bit or byte', () => {
    const { body, headers } = sent();
    const bytes = Buffer.from(body);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (index, change) => {
        const changed = Buffer.from(bytes);
        changed[index] = (changed[index] ?? 0) ^ change;
        expect(verdict(changed, headers)).toBe('wrong_signature');
      }),
    );
    const signature = headers['x-service-signature'] as string;
    for (const wrong of [
      signature.slice(0, -1),
      `${signature}0`,
      signature.toUpperCase(),
      signature.slice(3),
      `v2=${signature.slice(3)}`,
      `v1=${'0'.repeat(64)}`,
      'x',
    ])
      expect(verdict(body, { ...headers, 'x-service-signature': wrong }), wrong).toBe(
        'wrong_signature',
      );
    const timestamp = String(Number(headers['x-service-timestamp']) + 1);
    expect(verdict(body, { ...headers, 'x-service-timestamp': timestamp })).toBe('wrong_signature');
    expect(verdict(body, headers, at, 'ab'.repeat(32))).toBe('wrong_signature');
  });

  it('[client.verify-hint] believes nothing that is older or newer than five minutes, or as much as it allows', () => {
    const { body, headers } = sent();
    for (const [seconds, expected] of [
      [0, 'believed'],
      [300, 'believed'],
      [-300, 'believed'],
      [301, 'stale'],
      [-301, 'stale'],
      [86_400, 'stale'],
    ] as const)
      expect(verdict(body, headers, at + seconds * 1000), String(seconds)).toBe(expected);
    expect(() => verifyHint(body, headers, secret, at + 11_000, 10)).toThrow(HintError);
    const odd = { ...sent('{}').headers, 'x-service-timestamp': 'NaN' };
    expect(verdict('{}', odd)).toBe('wrong_signature');
  });

  it('[client.verify-hint] needs both headers, a body that it knows, and a real secret', () => {
    const { body, headers } = sent();
    for (const name of ['x-service-signature', 'x-service-timestamp'])
      for (const value of [undefined, '', ['a', 'b']])
        expect(verdict(body, { ...headers, [name]: value })).toBe('missing_header');
    for (const odd of [
      '',
      'null',
      '[]',
      '{}',
      '{"type":"other"}',
      '{"type":"events.available"}',
      '{"type":"toString"}',
      '{"type":"webhook.verify","hookId":1,"challenge":"x"}',
    ])
      expect(verdict(odd, sent(odd).headers), odd).toBe('malformed');
    for (const wrong of ['', 'short', secret.toUpperCase(), `${secret}\n`]) {
      expect(() => verifyHint(body, headers, wrong, at)).toThrow(TypeError);
      expect(() => challengeResponse('x', wrong)).toThrow(TypeError);
    }
  });

  it('[client.verify-hint] proves that it has the secret', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (challenge) => {
        const headers = { 'x-service-challenge-response': challengeResponse(challenge, secret) };
        expect(
          proofFault({ status: 200, headers }, challenge, Buffer.from(secret, 'hex')),
        ).toBeUndefined();
        expect(
          proofFault({ status: 200, headers }, `${challenge}.`, Buffer.from(secret, 'hex')),
        ).toBe('wrong_proof');
      }),
    );
  });
});
