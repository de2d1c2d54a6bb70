import { concat, fromHex, toHex, utf8 } from './bytes.ts';

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
  override readonly name = 'HintError';
  readonly reason: 'missing_header' | 'stale' | 'wrong_signature' | 'malformed';

  constructor(reason: HintError['reason'], message: string) {
    super(message);
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
 * Imports a secret. With an invalid one, every signature would be wrong without an explanation.
 * Errors: TypeError for an invalid secret.
 */
async function importSecret(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  if (!/^[0-9a-f]{64}$/.test(secret))
    throw new TypeError('The secret of a webhook must have 64 lowercase hex digits.');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', fromHex(secret), algorithm, false, ['sign', 'verify']);
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
 * import { HintError, verifyHint } from 'stoa-client/hints';
 *
 * export async function answer(request: Request, secret: string): Promise<Response> {
 *   try {
 *     const hint = await verifyHint(await request.text(), request.headers, secret);
 *     return new Response(hint.type);
 *   } catch (error) {
 *     if (error instanceof HintError) return new Response(error.message, { status: 401 });
 *     throw error;
 *   }
 * }
 */
export async function verifyHint(
  rawBody: string | Uint8Array,
  headers: HeaderMap,
  secret: string,
  now: number = Date.now(),
  skewSeconds: number = CLOCK_SKEW_SECONDS,
): Promise<Hint> {
  const key = await importSecret(secret);
  const timestamp = getHeader(headers, 'x-service-timestamp');
  const signature = getHeader(headers, 'x-service-signature');
  const text = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
  const body = typeof rawBody === 'string' ? utf8(rawBody) : rawBody;
  const signed = concat(utf8(`${timestamp}.`), body);
  const given = /^v1=([0-9a-f]{64})$/.exec(signature)?.[1];
  // `verify` compares in constant time.
  if (!given || !(await crypto.subtle.verify('HMAC', key, fromHex(given), signed)))
    throw new HintError('wrong_signature', 'The signature does not match the body.');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > skewSeconds)
    throw new HintError('stale', 'The request is too old, or from the future.');
  return parseHint(text);
}

/**
 * Computes the header X-Service-Challenge-Response that answers a challenge.
 * Errors: TypeError for an invalid secret.
 *
 * @example
 * import { challengeResponse } from 'stoa-client/hints';
 *
 * export const answer = async (challenge: string, secret: string): Promise<Response> =>
 *   new Response(null, {
 *     headers: { 'X-Service-Challenge-Response': await challengeResponse(challenge, secret) },
 *   });
 */
export async function challengeResponse(challenge: string, secret: string): Promise<string> {
  const key = await importSecret(secret);
  const proof = await crypto.subtle.sign('HMAC', key, utf8(`verify.${challenge}`));
  return toHex(new Uint8Array(proof));
}
