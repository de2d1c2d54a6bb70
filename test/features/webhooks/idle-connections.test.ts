import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, afterEach, expect, it } from 'vitest';
import { createDial } from '../../../src/outgoing/dial.ts';
import { waitUntil } from '../../support/factories.ts';
import { CA_FILE, createCertificate, HOST } from './receiver.ts';

/* What becomes of connections to receivers once a hint was answered. */

const open = new Set<Socket>();
let opened = 0;
let most = 0;
/** Called with a connection of which a request was answered. */
let whenAnswered = (_: Socket): void => {};

const server = createServer(await createCertificate(), (request, response) => {
  request.resume();
  response.end(() => whenAnswered(request.socket));
});
server.keepAliveTimeout = 0;
server.on('secureConnection', (socket: Socket) => {
  open.add(socket);
  opened += 1;
  most = Math.max(most, open.size);
  socket.on('error', () => {}).on('close', () => open.delete(socket));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
afterAll(() => server.close());

/** The addresses that the name has, of which connections go to the first. */
let addresses: readonly string[] = ['127.0.0.1'];
const dial = createDial({
  resolve: async () => ['93.184.216.34'],
  route: () => ({ addresses, port }),
  authorities: [readFileSync(CA_FILE, 'utf8')],
});
const send = () => dial({ url: `https://${HOST}/`, headers: {}, body: 'a hint' });

afterEach(async () => {
  await waitUntil('no connection is left', () => open.size === 0);
  opened = 0;
  most = 0;
});

it('[attack.36-3] serve for the next hint', async () => {
  expect([await send(), await send()]).toMatchObject([{ status: 200 }, { status: 200 }]);
  expect(opened).toBe(1);
});

it('[attack.36-3] (API4) end although the receiver goes on sending', async () => {
  const timers: NodeJS.Timeout[] = [];
  whenAnswered = (socket) => {
    timers.push(setInterval(() => socket.writable && socket.write(' '), 300));
  };
  expect(await send()).toMatchObject({ status: 200 });
  await waitUntil('it is closed', () => open.size === 0);
  whenAnswered = () => {};
  for (const timer of timers) clearInterval(timer);
});

it('[attack.36-3] (API4) are few in all, whatever addresses a name has', async () => {
  for (let host = 1; host <= 100; host++) {
    addresses = ['127.0.0.1', `127.0.1.${host}`];
    expect(await send()).toMatchObject({ status: 200 });
  }
  expect(opened).toBe(100);
  expect(most).toBeLessThanOrEqual(65);
});
