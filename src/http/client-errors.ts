import type { Socket } from 'node:net';
import { invalid, toProblem } from '../kernel/errors.ts';

const details: Readonly<Record<string, readonly [pointer: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['/header', 'the headers are larger than 16 KiB. Send less'],
  ERR_HTTP_REQUEST_TIMEOUT: [
    '/body',
    'the request did not arrive in time. Send it again, all of it',
  ],
};

/** Answers what is no HTTP request at all: nothing of it reached a route, so the problem is written by hand. */
export const answerNoRequest =
  (baseUrl: () => string, newId: () => string) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    if (socket.writable) {
      const requestId = newId();
      const [pointer, detail] = details[error.code ?? ''] ?? [
        '/header',
        'this is not an HTTP request',
      ];
      const body = JSON.stringify(toProblem(invalid(pointer, detail), baseUrl(), requestId));
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
