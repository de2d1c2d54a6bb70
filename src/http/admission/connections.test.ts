import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, expect, it, vi } from 'vitest';
import { boundConnections } from './connections.ts';

const server = createServer((incoming, response) => {
  // Whoever asks for it has a request under way, as a long poll has.
  if (incoming.url !== '/held') response.end('here');
});
boundConnections(server, { 'connections.process': 10, 'connections.address': 10 }, false);
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
});

/** Opens a connection from an address of this machine. */
async function open(localAddress: string, sent = ''): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  if (sent) socket.write(sent);
  return socket;
}

/** Sends a request on a connection of its own, and returns its answer. */
const ask = (localAddress: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', localAddress, agent: false }, (response) => {
      response.setEncoding('utf8').on('data', resolve);
    })
      .on('error', reject)
      .end();
  });

it('[attack.59-1] (API4) idle connections keep nobody out, whoever has most others', async () => {
  let held = 0;
  server.on('request', ({ url }) => {
    if (url === '/held') held += 1;
  });
  const busy: Socket[] = [];
  for (let count = 0; count < 4; count++)
    busy.push(await open('127.0.0.1', 'GET /held HTTP/1.1\r\nhost: x\r\n\r\n'));
  await vi.waitUntil(() => held === 4, { timeout: 30_000 });
  for (const address of ['127.0.0.2', '127.0.0.3'])
    for (let count = 0; count < 3; count++) await open(address);
  for (let count = 0; count < 5; count++) expect(await ask('127.0.0.4')).toBe('here');
  // Nobody who waits for an answer loses its connection.
  expect(busy.every(({ destroyed, readyState }) => !destroyed && readyState === 'open')).toBe(true);
});
