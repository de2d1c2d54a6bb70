import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Headers that a request may have. Of the 16 KiB that they may take, Node counts neither colons nor
 * ends of lines, so one head could otherwise have five thousand, in half a megabyte of memory.
 */
const MAX_HEADERS = 200;

const tooMany = Object.assign(new Error('A request has too many headers.'), {
  code: 'HPE_HEADER_OVERFLOW',
});

/**
 * Creates a listener that refuses requests with more headers before anything reads these. `refuse`
 * answers, and breaks the connection, as for headers that are too long.
 */
export const refuseManyHeaders =
  (
    listener: RequestListener,
    refuse: (error: Error & { readonly code: string }, socket: Socket) => void,
  ): RequestListener =>
  (request, response) => {
    if (request.rawHeaders.length <= 2 * MAX_HEADERS) listener(request, response);
    else refuse(tooMany, request.socket);
  };

/** Computes roughly how many bytes of memory the head of a request takes. */
export function measureHead({ url = '', rawHeaders }: IncomingMessage): number {
  const BYTES_PER_TEXT = 64;
  return rawHeaders.reduce((sum, text) => sum + text.length + BYTES_PER_TEXT, url.length);
}
