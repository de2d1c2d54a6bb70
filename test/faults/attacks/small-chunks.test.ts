import { once } from 'node:events';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runConcurrently, waitUntil } from '../../support/factories.ts';
import { buildHead, defaults, openSocket, readPeakMemory, startAttacked } from './replay.ts';

const MIB = 1024 * 1024;
const { service, f } = await startAttacked(defaults);
const { url } = service;

const chunked = { 'transfer-encoding': 'chunked', 'content-type': 'application/json' };
const oneByte = '1\r\nx\r\n';

it('[attack.35-1] (API4) one-byte chunks are broken off before they fill the memory', async () => {
  const agent = await f.createAgent();
  const before = readPeakMemory(service.pid);
  await runConcurrently(4, async () => {
    const head = buildHead(url, 'POST /mcp', { ...chunked, 'x-api-key': agent.key });
    const socket = openSocket(url, head);
    socket.resume();
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const piece = oneByte.repeat(20_000);
    for (let sent = 0; sent < 40 && !socket.destroyed; sent++)
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
    socket.destroy();
    await closed;
  });
  expect(readPeakMemory(service.pid) - before).toBeLessThan(60 * MIB);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

it('[attack.35-1] a body in a few thousand small chunks is read whole', async () => {
  const agent = await f.createAgent();
  const room = await f.createRoom(agent, 'public');
  const thread = await f.createThread(agent, room);
  const body = JSON.stringify({ body: 'y'.repeat(3_000) });
  const head = buildHead(url, `POST /api/v1/threads/${thread}/messages`, {
    ...chunked,
    'x-api-key': agent.key,
    'idempotency-key': crypto.randomUUID(),
    connection: 'close',
  });
  const chunks = [...body].map((letter) => `1\r\n${letter}\r\n`).join('');
  const answer = await text(openSocket(url, `${head}${chunks}0\r\n\r\n`));
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

/** A call of an agent with so many headers before its key. */
async function askBehind(headers: string): Promise<string> {
  const head = buildHead(url, 'GET /api/v1/me', { connection: 'close' }).slice(0, -2);
  const agent = await f.createAgent();
  return text(openSocket(url, `${head}${headers}X-API-Key: ${agent.key}\r\n\r\n`));
}

it('[attack.35-2] (API4) no header is hidden by others', async () => {
  expect(await askBehind('X-E: \r\n'.repeat(190))).toMatch(/^HTTP\/1\.1 200 /);
  expect(await askBehind('X-E: \r\n'.repeat(1_200))).toMatch(/^HTTP\/1\.1 400 .*more than 200/s);
});

/** Long polls of an agent, on connections of their own, with something sent behind each. */
async function waitBehind(behind: string): Promise<Socket[]> {
  const agent = await f.createAgent();
  const { nextCursor } = await f.ok('GET', '/api/v1/events', { key: agent.key });
  const path = `/api/v1/events?wait=60&cursor=${nextCursor}`;
  return Array.from({ length: 8 }, () => {
    const socket = openSocket(url, buildHead(url, `GET ${path}`, { 'x-api-key': agent.key }));
    socket.resume();
    socket.write(behind);
    return socket;
  });
}

it('[attack.38-1] (API4) bodies of requests that wait are joined', async () => {
  const before = readPeakMemory(service.pid);
  const fat = `${buildHead(url, 'POST /healthz', chunked)}${oneByte.repeat(4_000)}0\r\n\r\n`;
  const sockets = await Promise.all(Array.from({ length: 4 }, () => waitBehind(fat.repeat(15))));
  // The service reads no more of what it makes wait for long.
  await waitUntil('all is sent', () => sockets.flat().every((one) => one.writableLength === 0));
  let last = 0;
  await waitUntil('memory stands still', async () => {
    await sleep(1_000);
    const peak = readPeakMemory(service.pid);
    const isStill = peak === last;
    last = peak;
    return isStill;
  });
  expect(last - before).toBeLessThan(100 * MIB);
  for (const socket of sockets.flat()) socket.destroy();
});

it('[attack.38-2] (API4) a request with hundreds of trailers is broken off', async () => {
  const trailers = 'X-E: \r\n'.repeat(300);
  const fat = `${buildHead(url, 'POST /healthz', chunked)}${oneByte}0\r\n${trailers}\r\n`;
  const sockets = await waitBehind(fat);
  await Promise.all(sockets.map((socket) => new Promise((done) => socket.once('close', done))));
});

it('[attack.38-8] (API8) nothing is written into an answer that is under way', async () => {
  const agent = await f.createAgent();
  const head = buildHead(url, 'GET /api/v1/events/stream', { 'x-api-key': agent.key });
  const socket = openSocket(url, head);
  let received = '';
  socket.on('data', (piece) => {
    received += piece;
  });
  await waitUntil('the stream begins', () => received.includes('HTTP/1.1 200 '));
  socket.write('This is no request.\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

it('[attack.68-1] (API4) thousands of headers that never end take little memory', async () => {
  const names = Array.from({ length: 5_000 }, (_, nr) => nr.toString(36).padStart(3, 'a'));
  const before = readPeakMemory(service.pid);
  const sockets = Array.from({ length: 500 }, () =>
    openSocket(url, `GET / HTTP/1.1\r\n${names.map((name) => `${name}:\r\n`).join('')}`),
  );
  for (const socket of sockets) socket.resume();
  // They end after fifteen seconds.
  await Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))),
  );
  expect(readPeakMemory(service.pid) - before).toBeLessThan(60 * MIB);
});

it('[attack.36-2] (API4) requests with thousands of headers wait in no memory', async () => {
  const names = Array.from({ length: 5_000 }, (_, nr) => nr.toString(36).padStart(3, 'a'));
  const many = names.map((name) => `${name}:\r\n`).join('');
  const fat = `${buildHead(url, 'GET /healthz').slice(0, -2)}${many}\r\n`;
  const before = readPeakMemory(service.pid);
  const sockets = await waitBehind(fat.repeat(15));
  const closing = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  await Promise.all(closing);
  expect(readPeakMemory(service.pid) - before).toBeLessThan(30 * MIB);
});
