import { expect, it, vi } from 'vitest';
import { startApp } from '../../support/app.ts';
import { factories, waitUntil } from '../../support/factories.ts';
import { openStream } from '../../support/sse.ts';

/* Streams of one agent send the same, which is read, written as JSON and fitted once. */

const READS = 500;
const STREAMS = 8;
const LONG = '😀'.repeat(4_000);
const app = await startApp({ RATE_LIMITS: `reads=${READS}/d` });
const f = factories(app);
const author = await f.createAgent();
const roomId = await f.createRoom(author);
const threadId = await f.createThread(author, roomId);

/** Creates an agent that follows the thread. */
async function createFollower() {
  const agent = await f.createAgent();
  await f.ok('PUT', `/api/v1/threads/${threadId}/subscription`, { key: agent.key });
  return agent;
}

const open = (key: string) => openStream(app.url, key, '?include=message&budget=100000');

it('[attack.9-3] (API4) streams that wake together share one finished page', async () => {
  const { key } = await createFollower();
  const subscribe = vi.spyOn(app.app.env.hub, 'subscribe');
  const streams = await Promise.all(Array.from({ length: STREAMS }, () => open(key)));
  await waitUntil('all streams wait', () => subscribe.mock.calls.length >= STREAMS);
  // The first read of a step begins once its stream listens.
  for (let count = 0; count < 5; count++) await f.ok('GET', '/api/v1/me', { key });
  const parse = vi.spyOn(JSON, 'parse');
  const { id } = await f.postMessage(author, threadId, LONG);
  const events = await Promise.all(streams.map((stream) => stream.nextEvent()));
  const pages = parse.mock.calls.filter(
    ([text]) => text.startsWith('{"events":') && text.includes(id),
  );
  vi.restoreAllMocks();
  for (const event of events) expect(event?.data).toMatchObject({ id: 1, message: { body: LONG } });
  // One of them by the check of answers, which only tests have.
  expect(pages).toHaveLength(2);
  for (const stream of streams) stream.disconnect();
});

it('[attack.9-3] (API4) a stream pays for what arrives, and sends all of it', async () => {
  const { key } = await createFollower();
  const stream = await open(key);
  await stream.next();
  for (let count = 0; count < 30; count++) {
    const { id } = await f.postMessage(author, threadId, LONG);
    expect((await stream.nextEvent())?.data.messageId).toBe(id);
  }
  stream.disconnect();
  const { headers } = await f.send('GET', '/api/v1/me', { key });
  const left = Number(/;r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
  // Opening the stream and this read cost one each, and 480 KB six more, of which one may be due.
  expect(left).toBeLessThanOrEqual(READS - 7);
});
