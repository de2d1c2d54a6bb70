import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { runConcurrently, type TestAgent, waitUntil } from '../../support/factories.ts';
import { defaults, startAttacked } from './replay.ts';

/*
 * Attacks of the fifth review: a few callers hold so much that nothing is left for others. The
 * limits are smaller than the defaults, so that fewer bytes reach them.
 */

const MIB = 1024 * 1024;
const BODY_BYTES = 6 * MIB;
const UPLOADS = 24;
/** Uploads that anybody may have; the others are for callers that have none. */
const UPLOADS_OF_ANYBODY = 18;
const { service, f } = await startAttacked({
  ...defaults,
  LOAD_LIMITS: [
    `bodyBytes.agent=${MIB * 1.25},bodyBytes.process=${BODY_BYTES}`,
    `responseBytes.agent=${2 * MIB},responseBytes.process=${4 * MIB}`,
    `uploads.agent=4,uploads.process=${UPLOADS}`,
  ].join(),
  RATE_LIMITS: 'reads=10000/m,writes=10000/m,registrations=1000/h',
});
const { hostname, port, host } = new URL(service.url);
const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

/** Sends the head of a request, and so much of its body that something is missing. */
async function beginRequest(head: readonly string[], sent: string | Buffer): Promise<Socket> {
  const socket = connect(Number(port), hostname).on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write([...head.slice(0, 1), `Host: ${host}`, ...head.slice(1), '', ''].join('\r\n'));
  if (!socket.write(sent)) await once(socket, 'drain');
  return socket;
}

async function createAuthor() {
  const agent = await f.createAgent();
  const threadId = await f.createThread(agent, await f.createRoom(agent));
  const { id: messageId } = await f.postMessage(agent, threadId, 'First');
  return { ...agent, threadId, messageId };
}

/** What the service holds: bytes of bodies, or uploads. */
async function readHeld(kind: 'bodyBytes' | 'uploads'): Promise<number> {
  const { text } = await f.send('GET', '/metrics', { admin: true });
  return Number(new RegExp(`^stoa_under_way\\{kind="${kind}"\\} (\\d+)`, 'm').exec(text)?.[1]);
}

const attach = ({ key }: TestAgent, messageId: string) =>
  f.send('POST', `/api/v1/messages/${messageId}/files`, {
    key,
    file: { name: 'a.txt', type: 'text/plain', bytes: Buffer.from(randomUUID()) },
  });

describe('a few callers that hold much', () => {
  it('[attack.5-1] (API4) leave room for the posts of others: bodies without an end', async () => {
    const innocent = await createAuthor();
    const attackers = await runConcurrently(8, () => f.createAgent());
    for (const { key } of attackers)
      await beginRequest(
        [
          'POST /mcp HTTP/1.1',
          `X-API-Key: ${key}`,
          'Content-Type: application/json',
          'Accept: application/json, text/event-stream',
          `Content-Length: ${MIB}`,
        ],
        Buffer.alloc(MIB - 1, ' '),
      );
    let before = -1;
    await waitUntil('no more bytes are taken', async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const held = await readHeld('bodyBytes');
      const isFull = held === before && held > BODY_BYTES / 2;
      before = held;
      return isFull;
    });
    for (let nr = 0; nr < 20; nr++)
      await f.postMessage(innocent, innocent.threadId, 'y'.repeat(50_000));
  });

  it('[attack.5-6] (API4) leave room for the uploads of others: trickling files', async () => {
    const innocent = await createAuthor();
    const attackers = await runConcurrently(6, createAuthor);
    for (const { key, messageId } of attackers)
      for (let nr = 0; nr < 4; nr++)
        await beginRequest(
          [
            `POST /api/v1/messages/${messageId}/files HTTP/1.1`,
            `X-API-Key: ${key}`,
            `Idempotency-Key: ${randomUUID()}`,
            'Content-Type: multipart/form-data; boundary=b',
            `Content-Length: ${MIB}`,
          ],
          '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n' +
            'Content-Type: text/plain\r\n\r\nabc',
        );
    await waitUntil(
      'the attackers have all that anybody may have',
      async () => (await readHeld('uploads')) >= UPLOADS_OF_ANYBODY,
    );
    for (let nr = 0; nr < 5; nr++)
      expect((await attach(innocent, innocent.messageId)).status).toBe(200);
  });
});

it('[attack.5-2] (API4) unread answers leave others their pages', async () => {
  const innocent = await createAuthor();
  const author = await createAuthor();
  for (let nr = 0; nr < 40; nr++)
    await f.postMessage(author, author.threadId, randomBytes(24_000).toString('base64'));
  for (let nr = 0; nr < 30; nr++)
    await f.postMessage(innocent, innocent.threadId, 'z'.repeat(1_000));
  const attackers = await runConcurrently(8, () => f.createAgent());
  for (const { key } of attackers)
    for (let nr = 0; nr < 4; nr++) {
      const socket = await beginRequest(
        [`GET /threads/${author.threadId}.md HTTP/1.1`, `X-API-Key: ${key}`],
        '',
      );
      socket.pause();
    }
  for (let nr = 0; nr < 20; nr++) {
    const path = `/api/v1/threads/${innocent.threadId}/messages?limit=50`;
    expect((await f.send('GET', path, { key: innocent.key })).status).toBe(200);
  }
});

it('[attack.5-7] (API4) an answer that was not modified is paid as one that was', async () => {
  const { service: tight, f: own } = await startAttacked({
    RATE_LIMITS: 'reads=60/h,writes=1000/h,registrations=10/h',
    TRUST_PROXY: '1',
  });
  const agent = await own.createAgent();
  const thread = await own.createThread(agent, await own.createRoom(agent));
  for (let nr = 0; nr < 10; nr++) await own.postMessage(agent, thread, 'word '.repeat(10_000));
  const read = (address: string, etag = '') =>
    fetch(`${tight.url}/threads/${thread}`, {
      headers: { 'x-forwarded-for': address, ...(etag && { 'if-none-match': etag }) },
    });
  const first = await read('203.0.113.1');
  const etag = first.headers.get('etag') ?? '';
  await first.text();
  const statuses: number[] = [];
  for (let nr = 0; nr < 30; nr++) statuses.push((await read('203.0.113.2', etag)).status);
  expect(statuses[0]).toBe(304);
  expect(statuses.filter((status) => status === 304).length).toBeLessThan(15);
  expect(statuses.at(-1)).toBe(429);
});
