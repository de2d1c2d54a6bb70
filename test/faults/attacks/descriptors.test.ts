import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { factories } from '../../support/factories.ts';
import { findFreePort } from '../../support/service.ts';
import { buildHead, defaults, openSocket, startAttacked } from './replay.ts';

/* Attacks on an installation behind https that may open few files and connections. */

const port = String(await findFreePort());
const BASE_URL = 'https://stoa.example.org';
// The review had 400 descriptors and 500 connections; Node.js opens more files to start.
const limited = ['sh', '-c', 'ulimit -n 900 && exec "$@"', 'sh'];
await startAttacked({ ...defaults, PORT: port, BASE_URL }, limited);
const url = `http://127.0.0.1:${port}`;
const f = factories({ url });

it('[load.connections] (API4) more silent connections than files keep nobody out', async () => {
  const silent = Array.from({ length: 1_100 }, () => openSocket(url));
  for (let count = 0; count < 30; count++) {
    // A new connection each time: one that was open before would prove nothing.
    const socket = openSocket(url, buildHead(url, 'GET /api/v1/version', { connection: 'close' }));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  for (const socket of silent) socket.destroy();
});

it('[edge.host] (ASVS 3.4) a page of another site reaches nothing under its own name', async () => {
  for (const hosts of [['evil.example'], ['stoa.example.org', 'evil.example']]) {
    const socket = connect(Number(port), '127.0.0.1');
    const lines = hosts.map((host) => `host: ${host}\r\n`).join('');
    socket.write(`GET /api/v1/rooms HTTP/1.1\r\n${lines}connection: close\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(hosts.length === 1 ? /^HTTP\/1\.1 403 / : /^HTTP\/1\.1 400 /);
    socket.destroy();
  }
});

it('[edge.headers] (ASVS 3.4) answers under https say what browsers may do', async () => {
  const { headers } = await f.send('GET', '/rooms', { headers: { accept: 'text/html' } });
  for (const name of [
    'strict-transport-security',
    'cross-origin-resource-policy',
    'cross-origin-opener-policy',
    'permissions-policy',
  ])
    expect({ name, value: headers.get(name) }).toEqual({ name, value: expect.any(String) });
});
