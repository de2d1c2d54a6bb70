import { createHmac, randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { challengeResponse, HintError, verifyHint } from '../../../client/src/hints.ts';
import { runPython } from './python.ts';

const secret = randomBytes(32).toString('hex');
const now = 1_770_000_000;
const hint = JSON.stringify({
  type: 'events.available',
  hookId: 'h',
  deliveryId: 'd',
  createdAt: 'now',
});

/** A request as the service signs it (docs/webhooks.md). */
function sign(body: string, timestamp = String(now), key = secret) {
  const mac = createHmac('sha256', Buffer.from(key, 'hex')).update(`${timestamp}.${body}`);
  return {
    body,
    headers: {
      'X-Service-Timestamp': timestamp,
      'x-service-signature': `v1=${mac.digest('hex')}`,
    } as Record<string, string>,
  };
}

const { 'X-Service-Timestamp': _, ...withoutTime } = sign(hint).headers;
const requests = [
  sign(hint),
  sign(JSON.stringify({ type: 'webhook.verify', hookId: 'h', challenge: 'c' })),
  sign(hint, String(now - 300)),
  sign(hint, String(now - 301)),
  sign(hint, String(now + 301)),
  sign(hint, 'soon'),
  { ...sign(hint), body: `${hint} ` },
  sign(hint, undefined, randomBytes(32).toString('hex')),
  { ...sign(hint), headers: withoutTime },
  { ...sign(hint), headers: { ...sign(hint).headers, 'x-service-signature': 'v1=Ä' } },
  sign('no JSON'),
  sign('[]'),
  sign('null'),
  sign(JSON.stringify({ type: 'events.available', hookId: 'h' })),
];

/** What the TypeScript client makes of a request. */
async function verify({ body, headers }: ReturnType<typeof sign>) {
  try {
    return await verifyHint(body, headers, secret, now * 1000);
  } catch (error) {
    if (!(error instanceof HintError)) throw error;
    return error.reason;
  }
}

it('[python.hints] trusts the same requests as the TypeScript client', async () => {
  const program = `
import json, stoa_client
for request in json.loads(input()):
    try:
        body = request["body"].encode()
        told = stoa_client.verify_hint(body, request["headers"], "${secret}", ${now})
    except stoa_client.HintError as error:
        told = error.reason
    print(json.dumps(told))
print(stoa_client.challenge_response("c", "${secret}"))
try:
    stoa_client.verify_hint("", {}, "${secret.toUpperCase()}x")
except ValueError as error:
    print(error)
`;
  const quoted = JSON.stringify(JSON.stringify(requests));
  const { out, err } = await runPython(['-c', program.replace('input()', quoted)]);
  expect(err).toBe('');
  const lines = out.split('\n').slice(0, -1);
  const told = lines.slice(0, requests.length).map((line) => JSON.parse(line));
  expect(told).toEqual(await Promise.all(requests.map(verify)));
  expect(told.filter((one) => typeof one === 'object')).toHaveLength(3);
  expect(new Set(told.filter((one) => typeof one === 'string'))).toEqual(
    new Set(['missing_header', 'stale', 'wrong_signature', 'malformed']),
  );
  expect(lines.slice(requests.length)).toEqual([
    await challengeResponse('c', secret),
    'The secret of a webhook must have 64 lowercase hex digits.',
  ]);
});
