import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, vi } from 'vitest';
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

it('[attack.36-2] (API4) heads that wait have a bounded amount of memory in all', async () => {
  const held: ServerResponse[] = [];
  const answered: string[] = [];
  const listener: RequestListener = ({ url = '' }, response) => {
    answered.push(url);
    if (url.startsWith('/hold')) held.push(response);
    else response.end();
  };
  const server = createServer(answerInTurn(listener, 16, 3_400)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const send = (...paths: string[]) => {
    const socket = connect(port, '127.0.0.1').resume();
    socket.write(paths.map(ask).join(''));
    return once(socket, 'close');
  };
  const releaseHeld = async (count: number) => {
    await vi.waitUntil(() => held.length === count);
    for (const response of held.splice(0)) response.end();
  };

  const long = `/${'x'.repeat(700)}`;
  const first = send('/hold', `${long}1`, `${long}2`, `${long}3`);
  const second = send('/hold', `${long}4`);
  await releaseHeld(2);
  await Promise.all([first, second]);
  // Half of it is for connections of which no other request waits.
  expect(answered.toSorted()).toEqual(
    ['/hold', '/hold', `${long}1`, `${long}2`, `${long}4`].toSorted(),
  );
  // All of it was given back.
  const third = send('/hold', `${long}5`, `${long}6`, `${long}7`);
  await releaseHeld(1);
  await third;
  expect(answered.slice(-2)).toEqual([`${long}5`, `${long}6`]);
  server.close();
});
