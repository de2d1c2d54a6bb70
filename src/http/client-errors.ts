import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { failField, type StoaError, toProblem } from '../kernel/errors.ts';
import { isAnswering, isStopped } from './admission/pipelines.ts';
import { failLate } from './fail-late.ts';

/** Says what is wrong with input that is not a whole HTTP request. */
function describeFault(code: string | undefined): StoaError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return failField(
        '/header',
        'the headers are larger than 16 KiB, or there are more than 200. Send fewer',
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return failLate();
    default:
      return failField('/header', 'this is not an HTTP request. Send one');
  }
}

/**
 * Creates the handler for input that is not an HTTP request. Such input never reaches a route, so
 * the handler writes the problem to the socket itself.
 */
export const answerMalformedRequest =
  (baseUrl: () => string, newId: () => string) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    // Node goes on reading when a request is answered. What comes then is no whole request.
    if (isStopped(socket)) return void socket.pause();
    // In the middle of another answer it would be taken for a part of that.
    if (socket.writable && !isAnswering(socket)) {
      const requestId = newId();
      const problem = toProblem(describeFault(error.code), baseUrl(), requestId);
      const body = JSON.stringify(problem);
      const { status, retryAfterSeconds } = problem;
      const head = [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'Content-Type: application/problem+json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Cache-Control: private, no-store',
        `X-Request-Id: ${requestId}`,
        ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
        'Connection: close',
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    }
    socket.destroy(error);
  };
