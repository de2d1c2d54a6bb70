import type { CallOptions } from './types.ts';

/** A call of any operation, without the operation's types. */
export interface AnyCall extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly file?: File;
}

/** How to call an operation. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly kind: 'call' | 'stream' | 'content';
  /** Set if the operation needs the key of a guest context instead of an agent's key. */
  readonly auth?: 'context';
  /** The parameters of the path that are UUIDs. */
  readonly ids?: readonly string[];
}

const acceptHeaders = {
  call: 'application/json',
  stream: 'text/event-stream',
  content: '*/*',
} as const;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Fills in a parameter of a path. Errors: TypeError for one that would make it another address, as
 * URLs are resolved (RFC 3986, 5.2.4), and for an id that is no UUID. Ids often come from texts of
 * others, and a word such as `current` would select another operation.
 */
function fillParameter(name: string, value: unknown, isId: boolean): string {
  const text = String(value ?? (name === 'service' ? 'service' : ''));
  if (['', '.', '..'].includes(text))
    throw new TypeError(`${name} must not be "${text}": it would be another address.`);
  if (isId && !UUID.test(text))
    throw new TypeError(`${name} must be a UUID: another text could be another address.`);
  return encodeURIComponent(text);
}

/**
 * Builds the address of a call. `{service}` becomes the word `service`, which every installation
 * accepts in place of its own name.
 * Errors: TypeError for an invalid base or parameter.
 */
export function buildUrl(
  baseUrl: string,
  { path, ids = [] }: Pick<Route, 'path' | 'ids'>,
  { params = {}, query = {} }: AnyCall,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    fillParameter(name, params[name], ids.includes(name)),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  ).toString();
  return new URL(`${baseUrl.replace(/\/+$/, '')}${filled}${search && `?${search}`}`).href;
}

/**
 * Builds a form whose only field is the file. It does not use FormData, which writes a quote in the
 * file name as %22.
 */
function buildFileForm(file: File): Blob {
  const boundary = crypto.randomUUID();
  const name = file.name.replace(/["\\]/g, '\\$&').replace(/[\r\n]/g, encodeURIComponent);
  const head =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; ` +
    `filename="${name}"\r\nContent-Type: ${file.type || 'application/octet-stream'}\r\n\r\n`;
  return new Blob([head, file, `\r\n--${boundary}--\r\n`], {
    type: `multipart/form-data; boundary=${boundary}`,
  });
}

/** Builds the request of a call. All attempts send the same request and idempotency key. */
export function buildRequest(
  route: Route,
  call: AnyCall,
  credentials: Readonly<Record<string, string | undefined>>,
): RequestInit {
  const isMutation = route.method !== 'GET';
  const headers = new Headers(call.headers);
  const setHeader = (name: string, value: string | undefined) =>
    value !== undefined && headers.set(name, value);
  setHeader('accept', acceptHeaders[route.kind]);
  for (const [name, value] of Object.entries(credentials)) setHeader(name, value);
  setHeader('x-request-id', call.requestId);
  if (isMutation) setHeader('idempotency-key', call.idempotencyKey ?? crypto.randomUUID());
  if (call.body !== undefined) setHeader('content-type', 'application/json');
  return {
    method: route.method,
    headers,
    redirect: 'error',
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    ...(call.file && { body: buildFileForm(call.file) }),
    ...(call.signal && { signal: call.signal }),
  };
}
