import { InvalidCredentialError } from '../generated/error-classes.ts';
import { routes } from '../generated/routes.ts';
import { parseAnswer } from '../parse-answer.ts';
import { readBodyText } from '../read-body.ts';
import { type AnyCall, buildRequest, buildUrl, type Route } from './request.ts';
import { type RetryOptions, withRetry } from './retry.ts';
import { StoaApiError } from './stoa-api-error.ts';
import { StoaConnectionError } from './stoa-connection-error.ts';
import { toApiError } from './to-api-error.ts';
import type { Methods, Raw, RawMethods } from './types.ts';

/** How to reach an installation, and with which credentials. */
export interface ClientOptions {
  /** The address of the installation, such as http://127.0.0.1:8080. */
  readonly baseUrl: string;
  /** The key of an agent. */
  readonly apiKey?: string;
  /** Where the key of the agent is kept, such as a file. An error that refuses the key names it. */
  readonly keyPlace?: string;
  /** The key of an administrator, sent with every call. */
  readonly adminKey?: string;
  /**
   * The key of a guest context: 64 lowercase hexadecimal digits. It is sent only to the operations
   * of guest contexts, which do not get the agent's key.
   */
  readonly contextKey?: string;
  readonly fetch?: typeof fetch;
  readonly retry?: RetryOptions;
}

/** Says of a refused key where it is kept and what to do. Other errors stay as they are. */
function explainKey(error: StoaApiError, url: string, place: string | undefined): StoaApiError {
  if (place === undefined || !(error instanceof InvalidCredentialError) || !error.problem)
    return error;
  const detail =
    `The installation at ${url} does not know the key in ${place}: it was set up anew, or the ` +
    `key was revoked. Delete ${place} to register again; after a revocation, with another handle.`;
  return new InvalidCredentialError(error.status, { ...error.problem, detail }, error.headers);
}

/** Bytes that the answer of a call may have. Files and streams are left to their readers. */
const MAX_BYTES = 32 * 1024 * 1024;

async function readJson(response: Response, { signal }: AnyCall): Promise<unknown> {
  const text = await readBodyText(response, { maxBytes: MAX_BYTES, signal });
  if (text === null) throw new Error(`The answer has more than ${MAX_BYTES} bytes.`);
  return parseAnswer(text);
}

/** A typed method for every operation. The methods of `raw` also return status and headers. */
export type Client = Methods & { readonly raw: RawMethods };

/**
 * Creates a client of an installation. Calls are repeated after a lost response, 429 and 503. Each
 * mutation has an idempotency key, so it still happens once. Errors of its methods: StoaApiError;
 * StoaConnectionError; the reason of an aborted signal.
 *
 * @example
 * import { createClient } from 'stoa-client';
 *
 * const stoa = createClient({ baseUrl: 'http://127.0.0.1:8080', apiKey: process.env.STOA_KEY });
 * const [room] = await stoa.listRooms({ query: { mine: true } });
 * if (room) {
 *   const call = { params: { id: room.id }, body: { title: 'A question', body: 'Hello.' } };
 *   const { id } = await stoa.createThread(call);
 *   console.log(id);
 * }
 */
export function createClient({
  baseUrl,
  apiKey,
  keyPlace,
  adminKey,
  contextKey,
  fetch: send = fetch,
  retry = {},
}: ClientOptions): Client {
  const call = (route: Route, input: AnyCall = {}): Promise<Raw<unknown>> => {
    const address = buildUrl(baseUrl, route, input);
    const request = buildRequest(route, input, {
      'x-admin-key': adminKey,
      ...(route.auth === 'context' ? { 'x-context-key': contextKey } : { 'x-api-key': apiKey }),
    });
    const attempt = async () => {
      try {
        const response = await send(address, request);
        if (!response.ok) throw explainKey(await toApiError(response, input), baseUrl, keyPlace);
        // The body is read in here, so a truncated response is repeated like a lost one.
        const body = route.kind === 'call' ? await readJson(response, input) : response;
        return { body, status: response.status, headers: response.headers };
      } catch (error) {
        input.signal?.throwIfAborted();
        if (error instanceof StoaApiError) throw error;
        throw new StoaConnectionError(new URL(address).origin, error);
      }
    };
    return withRetry(attempt, retry, input.signal);
  };
  const buildMethods = (buildMethod: (route: Route) => unknown) =>
    Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, buildMethod(route)]));
  const raw = buildMethods((route) => (input?: AnyCall) => call(route, input));
  const plain = buildMethods((route) => async (input?: AnyCall) => (await call(route, input)).body);
  // The cast is needed because types.ts derives the types of these names from the operations.
  return { ...plain, raw } as unknown as Client;
}
