import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { waitUntil } from '../../support/factories.ts';
import { buildHead, defaults, openSocket, readPeakMemory, startAttacked } from './replay.ts';

/* Connections on which many requests come before the first is answered (pipelining). */

const MIB = 1024 * 1024;
const MAX_UNANSWERED = 16;
const { service, f } = await startAttacked(defaults);
const { url } = service;

const elsewhere = buildHead(url, 'GET /a');

const readStatuses = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

/** Collects what arrives on a connection. */
function readText(socket: Socket): { text: string } {
  const read = { text: '' };
  socket.on('data', (piece) => {
    read.text += piece;
  });
  return read;
}

/** Opens connections that each wait for events, with `count` further requests behind the wait. */
async function sendBehindWaits(key: string, connections: number, head: string, count: number) {
  const wait = buildHead(url, 'GET /api/v1/events?cursor=0&wait=60', { 'x-api-key': key });
  const sockets = Array.from({ length: connections }, () => openSocket(url, wait));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(head.repeat(count));
  return sockets;
}

it('[attack.4-1] (API4) of 1,700 requests sent at once, 16 are answered', async () => {
  const socket = openSocket(url, elsewhere.repeat(1_700));
  const read = readText(socket);
  const closed = once(socket, 'close').then(() => true);
  const goesOn = waitUntil('17 answers', () => readStatuses(read.text).length > MAX_UNANSWERED);
  await Promise.race([closed, goesOn.catch(() => {})]);
  const statuses = readStatuses(read.text);
  expect(statuses).toEqual(Array(MAX_UNANSWERED).fill(404));
  expect(read.text.match(/^connection: close/gim)).toHaveLength(1);
  socket.destroy();
});

it('[attack.4-1] 16 requests sent at once are answered in order, and more after them', async () => {
  const versions = buildHead(url, 'GET /api/v1/version');
  const socket = openSocket(url, (versions + elsewhere).repeat(MAX_UNANSWERED / 2));
  const read = readText(socket);
  const expected = Array.from({ length: MAX_UNANSWERED }, (_, nr) => (nr % 2 === 0 ? 200 : 404));
  await waitUntil('all are answered', () => readStatuses(read.text).length === MAX_UNANSWERED);
  expect(readStatuses(read.text)).toEqual(expected);
  socket.write(versions);
  await waitUntil('one more', () => readStatuses(read.text).length > MAX_UNANSWERED);
  expect(readStatuses(read.text)).toEqual([...expected, 200]);
  socket.destroy();
});

it('[attack.4-1] (API4) answers that wait behind others do not fill the memory', async () => {
  const agent = await f.createAgent();
  const thread = await f.createThread(agent, await f.createRoom(agent, 'public'));
  // One character beyond Latin-1 doubles a string in memory.
  await f.postMessage(agent, thread, `字${'x'.repeat(60_000)}`);
  const page = buildHead(url, `GET /api/v1/threads/${thread}/messages`, { 'x-api-key': agent.key });
  const sockets = await sendBehindWaits(agent.key, 8, page, 490);
  for (let reads = 0; reads < 20; reads++)
    expect((await f.send('GET', '/api/v1/me', { key: agent.key })).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  expect(readPeakMemory(service.pid)).toBeLessThan(400 * MIB);
});

it('[attack.4-2] (API4) requests behind a wait have nobody else refused', async () => {
  const attacker = await f.createAgent();
  const sockets = await sendBehindWaits(attacker.key, 8, elsewhere, 700);
  const other = await f.createAgent();
  const thread = await f.createThread(other, await f.createRoom(other));
  for (let posts = 0; posts < 30; posts++)
    expect((await f.postMessage(other, thread, `Message ${posts}`)).id).toEqual(expect.any(String));
  for (const socket of sockets) socket.destroy();
});
