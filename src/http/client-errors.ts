import type { Socket } from 'node:net';
import { failField, toProblem } from '../kernel/errors.ts';
import { isStopped } from './admission/pipelines.ts';

const errorDetails: Readonly<Record<string, readonly [pointer: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['/header', 'the headers are larger than 16 KiB. Send less'],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '/body',
    'the request did not arrive in time. Send the whole request again',
  ],
};

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
    if (socket.writable) {
      const requestId = newId();
      const [pointer, detail] = errorDetails[error.code ?? ''] ?? [
        '/header',
        'this is not an HTTP request',
      ];
      const body = JSON.stringify(toProblem(failField(pointer, detail), baseUrl(), requestId));
      const head = [
        'HTTP/1.1 400 Bad Request',
        'Content-Type: application/problem+json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Cache-Control: private, no-store',
        `X-Request-Id: ${requestId}`,
        'Connection: close',
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
    }
    socket.destroy(error);
  };
