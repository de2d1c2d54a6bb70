import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { createRandom } from '../../../bench/content/varied-text.ts';
import { startRelay } from '../../../scripts/faults/relay.ts';

/** Answers each piece with the same bytes, and remembers what it got. */
const received: Buffer[] = [];
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (piece) => {
    received.push(piece);
    socket.write(piece);
  });
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const relay = await startRelay(() => ({ host: '127.0.0.1', port }), createRandom(1));
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  server.close();
});

async function open(): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: relay.port });
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** What comes back until the connection ends. */
async function readAll(socket: Socket): Promise<Buffer> {
  const pieces: Buffer[] = [];
  socket.on('data', (piece) => pieces.push(piece));
  await once(socket, 'close');
  return Buffer.concat(pieces);
}

it('[faults.relay] passes bytes on in both directions', async () => {
  const socket = await open();
  socket.write('hello');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toBe('hello');
  socket.destroy();
});

it('[faults.relay] cuts a connection within so many bytes', async () => {
  received.length = 0;
  const before = relay.cuts;
  relay.setCut({ bytes: 1_000 });
  const socket = await open();
  const answer = readAll(socket);
  socket.write(Buffer.alloc(5_000, 'a'));
  expect((await answer).length).toBeLessThan(1_000);
  expect(Buffer.concat(received).length).toBeLessThan(1_000);
  expect(relay.cuts).toBe(before + 1);
  relay.setCut(null);
});

it('[faults.relay] passes a pattern on, and nothing that answers it', async () => {
  received.length = 0;
  relay.setCut({ pattern: Buffer.from('COMMIT') });
  const socket = await open();
  const answer = readAll(socket);
  socket.write('now COMMIT it');
  expect((await answer).toString()).toBe('');
  expect(Buffer.concat(received).toString()).toBe('now COMMIT it');
  relay.setCut(null);
});
