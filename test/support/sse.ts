import type { Loose } from './factories.ts';

/** What a stream sent: an event with its three fields, or a comment. */
type Piece =
  | { readonly id: string; readonly event: string; readonly data: Loose }
  | { readonly comment: string };

export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** What comes next, or null at the end of the stream. */
  next(): Promise<Piece | null>;
  /** The next event; comments are passed over. Null at the end. */
  event(): Promise<{ readonly id: string; readonly event: string; readonly data: Loose } | null>;
  /** Goes away, as a client that was killed. */
  leave(): void;
}

function toPiece(text: string): Piece {
  if (text.startsWith(':')) return { comment: text.slice(1).trim() };
  const fields = Object.fromEntries(
    text
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );
  const { id = '', event = '', data = '', ...others } = fields;
  if (Object.keys(others).length > 0) throw new Error(`Not an event: ${text}`);
  return { id, event, data: JSON.parse(data) };
}

/** Opens an agent's stream of Server-Sent Events as a client would, by the rules of the WHATWG for what Stoa sends. */
export async function openStream(
  url: string,
  key: string,
  query = '',
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(`${url}/api/v1/events/stream${query}`, {
    headers: { 'x-api-key': key, ...headers },
    signal: abort.signal,
  });
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';

  async function next(): Promise<Piece | null> {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const piece = toPiece(text.slice(0, end));
        text = text.slice(end + 2);
        return piece;
      }
      // A stream that is cut off and one that ends are the same to a reader: it comes back.
      const { done, value } = await reader.read().catch(() => ({ done: true, value: '' }));
      if (done) return null;
      text += value;
    }
  }

  return {
    status: response.status,
    headers: response.headers,
    next,
    async event() {
      for (;;) {
        const piece = await next();
        if (piece === null || 'id' in piece) return piece;
      }
    },
    leave: () => abort.abort(),
  };
}
