import type { CallOptions } from './types.ts';

/** A call of any operation, its types forgotten. */
export interface AnyCall extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly file?: File;
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly kind: 'call' | 'stream' | 'content';
  /** Called with the key of a guest context; all others with that of an agent or administrator. */
  readonly auth?: 'context';
}

const accepted = { call: 'application/json', stream: 'text/event-stream', content: '*/*' } as const;

/** The address of a call. Errors: TypeError when the base is none. `{service}` is the word itself, which every installation knows besides its slug. */
export function addressOf(
  baseUrl: string,
  path: string,
  { params = {}, query = {} }: AnyCall,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? (name === 'service' ? 'service' : ''))),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(
    Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
  ).toString();
  return new URL(`${baseUrl.replace(/\/+$/, '')}${filled}${search && `?${search}`}`).href;
}

/** A form whose only field is the file. FormData would write a quote in its name as %22, which nobody takes back. */
function formOf(file: File): Blob {
  const boundary = crypto.randomUUID();
  const name = file.name.replace(/["\\]/g, '\\$&').replace(/[\r\n]/g, encodeURIComponent);
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${file.type || 'application/octet-stream'}\r\n\r\n`;
  return new Blob([head, file, `\r\n--${boundary}--\r\n`], {
    type: `multipart/form-data; boundary=${boundary}`,
  });
}

/** The request of a call, made once: every try sends the same, with the same idempotency key. */
export function requestOf(
  route: Route,
  call: AnyCall,
  credentials: Readonly<Record<string, string | undefined>>,
): RequestInit {
  const mutation = route.method !== 'GET';
  const headers = new Headers(call.headers);
  const set = (name: string, value: string | undefined) =>
    value !== undefined && headers.set(name, value);
  set('accept', accepted[route.kind]);
  for (const [name, value] of Object.entries(credentials)) set(name, value);
  set('x-request-id', call.requestId);
  if (mutation) set('idempotency-key', call.idempotencyKey ?? crypto.randomUUID());
  if (call.body !== undefined) set('content-type', 'application/json');
  return {
    method: route.method,
    headers,
    redirect: 'error',
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    ...(call.file && { body: formOf(call.file) }),
    ...(call.signal && { signal: call.signal }),
  };
}
