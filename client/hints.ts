import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a receiver of hints gets; a hint says that events wait, and nothing about them. */
export type Hint =
  | { readonly type: 'webhook.verify'; readonly hookId: string; readonly challenge: string }
  | {
      readonly type: 'events.available';
      readonly hookId: string;
      readonly deliveryId: string;
      readonly createdAt: string;
    };

/** Why a request is not to be believed. Answer it with 401 and forget it. */
export class HintError extends Error {
  readonly reason: 'missing_header' | 'stale' | 'wrong_signature' | 'malformed';

  constructor(reason: HintError['reason'], message: string) {
    super(message);
    this.name = 'HintError';
    this.reason = reason;
  }
}

type HeaderMap = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

function header(headers: HeaderMap, name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  if (typeof found !== 'string' || found === '')
    throw new HintError('missing_header', `The header ${name} is missing.`);
  return found;
}

/** Throws when it is no secret: with anything else every signature would be wrong, and nobody would know why. */
function keyOf(secret: string): Buffer {
  if (!/^[0-9a-f]{64}$/.test(secret))
    throw new TypeError('The secret of a webhook is 64 lowercase hex digits.');
  return Buffer.from(secret, 'hex');
}

function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const membersOf: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['webhook.verify', ['hookId', 'challenge']],
  ['events.available', ['hookId', 'deliveryId', 'createdAt']],
]);

function parse(text: string): Hint {
  let hint: Partial<Record<string, unknown>> | null;
  try {
    hint = JSON.parse(text) as typeof hint;
  } catch {
    throw new HintError('malformed', 'The body is not JSON.');
  }
  const members = membersOf.get(hint?.type);
  if (!members?.every((name) => typeof hint?.[name] === 'string'))
    throw new HintError('malformed', 'The body is neither a challenge nor a hint.');
  return hint as unknown as Hint;
}

/** Seconds by which the clocks of service and receiver may differ. */
const CLOCK_SKEW = 300;

/**
 * Checks that a request comes from whoever has the secret, and is not an old one that somebody sends again. `rawBody` is the body as it arrived (parse
 * nothing before), `headers` are those of the request, `now` is milliseconds since 1970. Errors: HintError; TypeError for what is no secret.
 */
export function verifyHint(
  rawBody: string | Uint8Array,
  headers: HeaderMap,
  secret: string,
  now: number,
  skewSeconds: number = CLOCK_SKEW,
): Hint {
  const key = keyOf(secret);
  const timestamp = header(headers, 'x-service-timestamp');
  const signature = header(headers, 'x-service-signature');
  const expected = createHmac('sha256', key).update(`${timestamp}.`).update(rawBody).digest('hex');
  if (!same(signature, `v1=${expected}`))
    throw new HintError('wrong_signature', 'The signature does not fit.');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > skewSeconds)
    throw new HintError('stale', 'The request is too old, or from the future.');
  return parse(typeof rawBody === 'string' ? rawBody : Buffer.from(rawBody).toString('utf8'));
}

/** The value of the header X-Service-Challenge-Response that answers a challenge. Errors: TypeError for what is no secret. */
export const challengeResponse = (challenge: string, secret: string): string =>
  createHmac('sha256', keyOf(secret)).update(`verify.${challenge}`).digest('hex');
