import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { startApp } from '../support/app.ts';
import { factories } from '../support/factories.ts';

const app = await startApp();
const f = factories(app);

/** Asks as a client asks a proxy, with the whole address (RFC 9112, 3.2.2). */
function ask(address: string): Promise<string> {
  const { hostname, port, host } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${address} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

it('[attack.36-4] (ASVS 4.1) a whole address decides nothing but the path', async () => {
  const owner = await f.createAgent();
  await f.createRoom(owner);
  await f.createRoom(owner);
  const rooms = await ask('http://evil.example/api/v1/rooms?limit=1');
  expect(rooms).toMatch(/^HTTP\/1\.1 200 /);
  expect(rooms.toLowerCase()).toContain(`\r\nlink: <${app.url}/api/v1/rooms?limit=1`);
  expect(rooms).not.toContain('evil.example');
});

it.each([
  ['HTTP://evil.example/healthz', 200],
  ['http://evil.example', 200],
  ['http://evil.example?q=1', 200],
  ['ftp://evil.example/healthz', 404],
])('[attack.36-4] %s is answered %d', async (address, status) => {
  const answer = await ask(address);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).not.toContain('evil.example');
});
