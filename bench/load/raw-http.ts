/** An answer, as far as a load generator looks at it. */
export interface RawAnswer {
  /** The status; 0 when the connection broke before the answer was complete. */
  readonly status: number;
  readonly hasRetryAfter: boolean;
  readonly body: string;
}

/** What there is of a request besides the address, such as autocannon takes it. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Formats a request as it goes over the wire. */
export function formatRequest({ method, path, headers, body = '' }: RawRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === 'GET' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}${length}\r\n${body}`;
}

const LAST_CHUNK = '0\r\n\r\n';

/** What a caller has when the connection broke. */
export const brokenOff: RawAnswer = { status: 0, hasRetryAfter: false, body: '' };

/** Returns the answer in a text of bytes, or null while it is incomplete. */
export function parseAnswer(text: string): RawAnswer | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = text.slice(0, end).toLowerCase();
  const length = /\r\ncontent-length: (\d+)/.exec(head)?.[1];
  const body = text.slice(end + 4);
  const isWhole = length === undefined ? body.endsWith(LAST_CHUNK) : body.length >= Number(length);
  if (!isWhole) return null;
  return {
    status: Number(head.slice(9, 12)),
    hasRetryAfter: head.includes('\r\nretry-after:'),
    body,
  };
}
