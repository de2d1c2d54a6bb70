import { toApiError } from './error.ts';
import { type AnyCall, addressOf, type Route, requestOf } from './request.ts';
import { type RetryOptions, withRetry } from './retry.ts';
import { routes } from './routes.ts';
import type { Methods, Raw, RawMethods } from './types.ts';

export { StoaApiError } from './error.ts';

export interface ClientOptions {
  /** Address of the installation, such as http://127.0.0.1:8080. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly adminKey?: string;
  /** Of a guest context: 64 lowercase hexadecimal digits. Sent only where contexts are read and written, and there no agent's key is. */
  readonly contextKey?: string;
  readonly fetch?: typeof fetch;
  readonly retry?: RetryOptions;
}

/** A typed method for every operation; `raw` has the same with status and headers. */
export type Client = Methods & { readonly raw: RawMethods };

/**
 * Talks to an installation. A mutation carries an idempotency key, so calls are repeated after lost answers, 429 and 503, and
 * still happen once. Errors: StoaApiError; what `fetch` throws when there is no connection; the signal's reason.
 */
export function createClient({
  baseUrl,
  apiKey,
  adminKey,
  contextKey,
  fetch: send = fetch,
  retry = {},
}: ClientOptions): Client {
  const call = (route: Route, input: AnyCall = {}): Promise<Raw<unknown>> => {
    const address = addressOf(baseUrl, route.path, input);
    const request = requestOf(route, input, {
      'x-admin-key': adminKey,
      ...(route.auth === 'context' ? { 'x-context-key': contextKey } : { 'x-api-key': apiKey }),
    });
    const attempt = async () => {
      const response = await send(address, request);
      if (!response.ok) throw await toApiError(response);
      // Read inside the try: an answer that breaks off is as lost as one that never came.
      return {
        body: route.kind === 'call' ? await response.json() : response,
        status: response.status,
        headers: response.headers,
      };
    };
    return withRetry(attempt, retry, input.signal);
  };
  const methods = (make: (route: Route) => unknown) =>
    Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, make(route)]));
  const raw = methods((route) => (input?: AnyCall) => call(route, input));
  const plain = methods((route) => async (input?: AnyCall) => (await call(route, input)).body);
  // The cast: the same names, whose types types.ts derives from the operations.
  return { ...plain, raw } as unknown as Client;
}
