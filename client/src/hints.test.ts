import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildChallenge,
  buildHint,
  buildSignedRequest,
  findProofFault,
} from '../../src/features/webhooks/webhook-protocol.ts';
import { challengeResponse, HintError, verifyHint } from './hints.ts';

const SECRET = '5f1c0e9a7b3d48261f0e5d4c3b2a19087f6e5d4c3b2a1908f7e6d5c4b3a29180';
const ID = '01936f4e-8a2b-7c3d-9e4f-5a6b7c8d9e0f';
const at = Date.parse('2026-03-01T12:00:00.000Z');
const receiver = { url: 'https://hooks.example/', secret: Buffer.from(SECRET, 'hex') };
const hook = { id: ID, deliveryId: ID, deliveryCreatedAt: '2026-03-01T11:59:55.000Z' };
const hint = buildHint(hook);

/** Builds a request as the service sends it. */
const signRequest = (body = hint.body) =>
  buildSignedRequest(receiver, { ...hint, body }, 'http://127.0.0.1:8080', at);

/** Returns why a request is refused, or "accepted". */
async function getVerdict(
  body: string | Uint8Array,
  headers: Parameters<typeof verifyHint>[1],
  now = at,
  key = SECRET,
): Promise<string> {
  try {
    await verifyHint(body, headers, key, now);
    return 'accepted';
  } catch (error) {
    if (error instanceof HintError) return error.reason;
    throw error;
  }
}

describe('a receiver', () => {
  it('[client.verify-hint] accepts requests of the service, as text or bytes', async () => {
    const { body, headers } = signRequest();
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    const expected = {
      type: 'events.available',
      hookId: ID,
      deliveryId: ID,
      createdAt: hook.deliveryCreatedAt,
    };
    for (const [raw, of] of [
      [body, headers],
      [Buffer.from(body), upper],
      [new TextEncoder().encode(body), new Headers(headers)],
    ] as const)
      expect(await verifyHint(raw, of, SECRET, at)).toEqual(expected);
    const challenge = signRequest(
      buildChallenge({ id: ID, hookId: ID, challenge: 'a challenge', at }).body,
    );
    expect(await verifyHint(challenge.body, challenge.headers, SECRET, at)).toEqual({
      type: 'webhook.verify',
      hookId: ID,
      challenge: 'a challenge',
    });
  });

  it('[client.verify-hint] refuses a request with a single changed bit or byte', async () => {
    const { body, headers } = signRequest();
    const bytes = Buffer.from(body);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (index, change) => {
          const changed = Buffer.from(bytes);
          changed[index] = (changed[index] ?? 0) ^ change;
          expect(await getVerdict(changed, headers)).toBe('wrong_signature');
        },
      ),
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
      expect(await getVerdict(body, { ...headers, 'x-service-signature': wrong }), wrong).toBe(
        'wrong_signature',
      );
    const timestamp = String(Number(headers['x-service-timestamp']) + 1);
    expect(await getVerdict(body, { ...headers, 'x-service-timestamp': timestamp })).toBe(
      'wrong_signature',
    );
    expect(await getVerdict(body, headers, at, 'ab'.repeat(32))).toBe('wrong_signature');
  });

  it('[client.verify-hint] refuses a request outside of the allowed time', async () => {
    const { body, headers } = signRequest();
    for (const [seconds, expected] of [
      [0, 'accepted'],
      [300, 'accepted'],
      [-300, 'accepted'],
      [301, 'stale'],
      [-301, 'stale'],
      [86_400, 'stale'],
    ] as const)
      expect(await getVerdict(body, headers, at + seconds * 1000), String(seconds)).toBe(expected);
    await expect(verifyHint(body, headers, SECRET, at + 11_000, 10)).rejects.toThrow(HintError);
    const odd = { ...signRequest('{}').headers, 'x-service-timestamp': 'NaN' };
    expect(await getVerdict('{}', odd)).toBe('wrong_signature');
  });

  it('[client.verify-hint] needs both headers, a known body and a valid secret', async () => {
    const { body, headers } = signRequest();
    for (const name of ['x-service-signature', 'x-service-timestamp'])
      for (const value of [undefined, '', ['a', 'b']])
        expect(await getVerdict(body, { ...headers, [name]: value })).toBe('missing_header');
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
      expect(await getVerdict(odd, signRequest(odd).headers), odd).toBe('malformed');
    for (const wrong of ['', 'short', SECRET.toUpperCase(), `${SECRET}\n`]) {
      await expect(verifyHint(body, headers, wrong, at)).rejects.toThrow(TypeError);
      await expect(challengeResponse('x', wrong)).rejects.toThrow(TypeError);
    }
  });

  it('[client.verify-hint] proves that it has the secret', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (challenge) => {
        const proof = await challengeResponse(challenge, SECRET);
        const headers = { 'x-service-challenge-response': proof };
        expect(
          findProofFault({ status: 200, headers }, challenge, Buffer.from(SECRET, 'hex')),
        ).toBeUndefined();
        expect(
          findProofFault({ status: 200, headers }, `${challenge}.`, Buffer.from(SECRET, 'hex')),
        ).toBe('wrong_proof');
      }),
    );
  });
});
