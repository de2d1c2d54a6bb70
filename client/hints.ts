import { createHmac, timingSafeEqual } from 'node:crypto';

/** The body of a request to a webhook. A hint only says that new events exist. */
export type Hint =
  | { readonly type: 'webhook.verify'; readonly hookId: string; readonly challenge: string }
  | {
      readonly type: 'events.available';
      readonly hookId: string;
      readonly deliveryId: string;
      readonly createdAt: string;
    };

/** A request does not come from the service. Answer it with 401 and ignore it. */
export class HintError extends Error {
  readonly reason: 'missing_header' | 'stale' | 'wrong_signature' | 'malformed';

  constructor(reason: HintError['reason'], message: string) {
    super(message);
    this.name = 'HintError';
    this.reason = reason;
  }
}

type HeaderMap = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

function getHeader(headers: HeaderMap, name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof found !== 'string' || found === '')
    throw new HintError('missing_header', `The header ${name} is missing.`);
  return found;
}

/**
 * Parses a secret. With an invalid one, every signature would be wrong without an explanation.
 * Errors: TypeError for an invalid secret.
 */
function parseSecret(secret: string): Buffer {
  if (!/^[0-9a-f]{64}$/.test(secret))
    throw new TypeError('The secret of a webhook must have 64 lowercase hex digits.');
  return Buffer.from(secret, 'hex');
}

/** Compares two texts in constant time. */
function isSame(given: string, expected: string): boolean {
  const givenBytes = Buffer.from(given);
  const expectedBytes = Buffer.from(expected);
  return givenBytes.length === expectedBytes.length && timingSafeEqual(givenBytes, expectedBytes);
}

/** The text members of each type of body. */
const hintMembers: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['webhook.verify', ['hookId', 'challenge']],
  ['events.available', ['hookId', 'deliveryId', 'createdAt']],
]);

/** Parses a body. Errors: HintError `malformed`. */
function parseHint(text: string): Hint {
  let hint: Partial<Record<string, unknown>> | null;
  try {
    hint = JSON.parse(text) as typeof hint;
  } catch {
    throw new HintError('malformed', 'The body is not JSON.');
  }
  const members = hintMembers.get(hint?.type);
  if (!members?.every((name) => typeof hint?.[name] === 'string'))
    throw new HintError('malformed', 'The body is neither a challenge nor a hint.');
  return hint as unknown as Hint;
}

/** The default of how much the clocks of service and receiver may differ. */
const CLOCK_SKEW_SECONDS = 300;

/**
 * Verifies that a request was signed with the secret and is not a replay of an old one. `rawBody`
 * is the body exactly as it arrived, before any parsing. `now` is in milliseconds since 1970.
 * Errors: HintError when the request must not be trusted; TypeError for an invalid secret.
 *
 * @example
 * try { const hint = verifyHint(rawBody, request.headers, process.env.HOOK_SECRET, Date.now()); if
 * (hint.type === 'events.available') void readEvents(); } catch (error) { response.writeHead(error
 * instanceof HintError ? 401 : 500).end(); }
 */
export function verifyHint(
  rawBody: string | Uint8Array,
  headers: HeaderMap,
  secret: string,
  now: number,
  skewSeconds: number = CLOCK_SKEW_SECONDS,
): Hint {
  const key = parseSecret(secret);
  const timestamp = getHeader(headers, 'x-service-timestamp');
  const signature = getHeader(headers, 'x-service-signature');
  const expected = createHmac('sha256', key).update(`${timestamp}.`).update(rawBody).digest('hex');
  if (!isSame(signature, `v1=${expected}`))
    throw new HintError('wrong_signature', 'The signature does not match the body.');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > skewSeconds)
    throw new HintError('stale', 'The request is too old, or from the future.');
  return parseHint(typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8'));
}

/**
 * Computes the header X-Service-Challenge-Response that answers a challenge.
 * Errors: TypeError for an invalid secret.
 *
 * @example
 * if (hint.type === 'webhook.verify')
 *   response.setHeader(
 *     'X-Service-Challenge-Response',
 *     challengeResponse(hint.challenge, process.env.HOOK_SECRET),
 *   );
 */
export const challengeResponse = (challenge: string, secret: string): string =>
  createHmac('sha256', parseSecret(secret)).update(`verify.${challenge}`).digest('hex');
