import { createParser } from 'eventsource-parser';
import type { Json } from './factories.ts';

/** What a stream sent: an event with its three fields, or a comment. */
type StreamItem =
  | { readonly id: string; readonly event: string; readonly data: Json }
  | { readonly comment: string };

export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** What comes next, or null at the end of the stream. */
  next(): Promise<StreamItem | null>;
  /** The next event; comments are passed over. Null at the end. */
  nextEvent(): Promise<{ readonly id: string; readonly event: string; readonly data: Json } | null>;
  /** Goes away, as a client that was killed. */
  disconnect(): void;
}

/**
 * Opens an agent's stream of Server-Sent Events as a client would, by the rules of the WHATWG for
 * what Stoa sends.
 */
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
  const items: StreamItem[] = [];
  const parser = createParser({
    onEvent: ({ id = '', event = '', data }) => items.push({ id, event, data: JSON.parse(data) }),
    onComment: (comment) => items.push({ comment: comment.trim() }),
    onRetry: (milliseconds) => {
      throw new Error(`Stoa sends no retry field, but ${milliseconds} came.`);
    },
    onError: (error) => {
      throw error;
    },
  });

  async function next(): Promise<StreamItem | null> {
    for (;;) {
      const item = items.shift();
      if (item) return item;
      // To a reader, a stream that is cut off and one that ends are the same: it reconnects.
      const { done, value } = await reader.read().catch(() => ({ done: true, value: '' }));
      if (done) return null;
      parser.feed(value);
    }
  }

  return {
    status: response.status,
    headers: response.headers,
    next,
    async nextEvent() {
      for (;;) {
        const piece = await next();
        if (piece === null || 'id' in piece) return piece;
      }
    },
    disconnect: () => abort.abort(),
  };
}
