import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { answerInTurn } from './pipelines.ts';

it('[attack.26-1] (API4) nothing begins behind an answer that closes its connection', async () => {
  const begun: string[] = [];
  const server = createServer(
    answerInTurn((request, response) => {
      begun.push(request.url ?? '');
      // The second one waits for its turn meanwhile.
      setImmediate(() => {
        if (request.url === '/last') response.setHeader('connection', 'close');
        response.end();
      });
    }, 16),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  socket.write(ask('/first') + ask('/last') + ask('/behind'));
  socket.resume();
  await once(socket, 'close');
  server.close();
  await once(server, 'close');
  expect(begun).toEqual(['/first', '/last']);
});
