import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Headers that a request may have. Of the 16 KiB that they may take, Node counts neither colons nor
 * ends of lines, so one head could otherwise have five thousand, in half a megabyte of memory.
 */
const MAX_HEADERS = 200;

/**
 * Headers that Node collects: one more, so that a request with too many is seen. It holds those of
 * a head that never ends, for which there is no request yet.
 */
export const COLLECTED_HEADERS = MAX_HEADERS + 1;

/** Whether there are too many headers or trailers, given as names and values in turn. */
export const hasManyHeaders = (raw: readonly string[]): boolean => raw.length > 2 * MAX_HEADERS;

const tooMany = Object.assign(new Error('A request has too many headers.'), {
  code: 'HPE_HEADER_OVERFLOW',
});

/**
 * Creates a listener that refuses requests with more than MAX_HEADERS headers before anything reads
 * these. `refuse` answers, and breaks the connection, as for headers that are too long.
 */
export const refuseManyHeaders =
  (
    listener: RequestListener,
    refuse: (error: Error & { readonly code: string }, socket: Socket) => void,
  ): RequestListener =>
  (request, response) => {
    if (hasManyHeaders(request.rawHeaders)) refuse(tooMany, request.socket);
    else listener(request, response);
  };

/** Bytes of memory that a string takes besides its letters. */
const BYTES_PER_TEXT = 64;

/**
 * Computes roughly how many bytes of memory a request takes that nobody reads: its head and, where
 * it has a body, what its connection buffers of that.
 */
export function measureUnread(request: IncomingMessage): number {
  const { url = '', rawHeaders, headers } = request;
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  return rawHeaders.reduce(
    (sum, text) => sum + text.length + BYTES_PER_TEXT,
    url.length + (hasBody ? request.readableHighWaterMark : 0),
  );
}
