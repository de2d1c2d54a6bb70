import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { answerMalformedRequest } from './client-errors.ts';

/** What the other end of a connection reads when Node reports this error. */
async function answer(code: string): Promise<string> {
  const respond = answerMalformedRequest(
    () => 'https://stoa.example',
    () => 'an-id',
  );
  const server = createServer((socket) => {
    socket.on('error', () => {});
    respond(Object.assign(new Error(code), { code }), socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const read = await text(connect((server.address() as AddressInfo).port, '127.0.0.1'));
  server.close();
  return read;
}

it('[wire.late-request] a request that does not arrive may be repeated as it is', async () => {
  const late = await answer('ERR_HTTP_REQUEST_TIMEOUT');
  expect(late).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
  expect(late).toContain('\r\nRetry-After: 1\r\n');
  expect(late).toContain('"code":"unavailable"');
});

it.each([
  ['HPE_HEADER_OVERFLOW', 'larger than 16 KiB'],
  ['HPE_INVALID_METHOD', 'not an HTTP request'],
])('[wire.late-request] %s is an invalid request', async (code, detail) => {
  const malformed = await answer(code);
  expect(malformed).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(malformed).not.toContain('Retry-After');
  expect(malformed).toContain(detail);
});
