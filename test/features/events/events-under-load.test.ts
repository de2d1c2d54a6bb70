import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Json, runConcurrently, type TestAgent } from '../../support/factories.ts';
import { openStream } from '../../support/sse.ts';

const firstApp = await startApp();
const secondApp = await firstApp.startNode();
const f = factories(firstApp);
const otherNode = factories(secondApp);
/** Calls alternate between the two services. */
const pickNode = (index: number) => (index % 2 === 0 ? f : otherNode);

const WRITERS = 16;
const POSTS = 20;
const THREADS = 5;

interface Reader extends TestAgent {
  /** The position of the stream before the writers began. */
  readonly start: number;
}

/** Recognizes the event that ends the reading: the host writes nothing but the last message. */
const isLast = (host: TestAgent) => (event: Json) => event.actorId === host.id;

/** Polls without pause, with its own page size, and alternates between the services. */
async function pollUntil(
  reader: Reader,
  limit: number,
  wait: number,
  last: (event: Json) => boolean,
): Promise<Json[]> {
  const events: Json[] = [];
  let cursor = reader.start;
  for (let turn = 0; !events.some(last); turn++) {
    const page = await pickNode(turn).ok(
      'GET',
      `/api/v1/events?cursor=${cursor}&limit=${limit}&wait=${wait}`,
      { key: reader.key },
    );
    expect(page.events.length).toBeLessThanOrEqual(limit);
    events.push(...page.events);
    cursor = page.nextCursor;
  }
  return events;
}

/**
 * Follows the stream and breaks off after every 40 events, as a client with a bad connection does.
 */
async function listenUntil(reader: Reader, last: (event: Json) => boolean): Promise<Json[]> {
  const events: Json[] = [];
  while (!events.some(last)) {
    const { url } = events.length % 80 < 40 ? firstApp : secondApp;
    const stream = await openStream(url, reader.key, '', {
      'last-event-id': String(events.at(-1)?.id ?? reader.start),
    });
    do events.push((await stream.nextEvent())?.data);
    while (events.length % 40 !== 0 && !events.some(last));
    stream.disconnect();
  }
  return events;
}

it('[event.exactly-once] listEvents returns every event once under load', async () => {
  const host = await f.createAgent();
  const roomId = await f.createRoom(host);
  const threads = await runConcurrently(THREADS, () => f.createThread(host, roomId));
  const writers = await runConcurrently(WRITERS, () => f.createAgent());
  const agents = await runConcurrently(6, () => f.createAgent());
  await Promise.all([...writers, ...agents].map((agent) => f.joinRoom(agent, roomId)));
  // The first four follow all threads. The last four each have a message in one thread that can be
  // answered. All are mentioned now and then.
  await Promise.all(
    agents
      .slice(0, 4)
      .flatMap(({ key }) =>
        threads.map((id) => f.ok('PUT', `/api/v1/threads/${id}/subscription`, { key })),
      ),
  );
  const questions = await Promise.all(
    threads.map((id, index) =>
      f.postMessage(agents[2 + (index % 4)] as TestAgent, id, 'A question.'),
    ),
  );
  const readers: Reader[] = await Promise.all(
    agents.map(async (agent) => ({ ...agent, start: (await f.listEvents(agent)).nextCursor })),
  );

  const last = isLast(host);
  const ways = [
    (reader: Reader) => pollUntil(reader, 1, 0, last),
    (reader: Reader) => listenUntil(reader, last),
    (reader: Reader) => pollUntil(reader, 3, 1, last),
    (reader: Reader) => pollUntil(reader, 500, 60, last),
    (reader: Reader) => pollUntil(reader, 100, 0, last),
    (reader: Reader) => listenUntil(reader, last),
  ];
  const reading = Promise.all(readers.map((reader, index) => ways[index]?.(reader) ?? []));

  const write = async (writer: TestAgent, number: number) => {
    const named = readers
      .filter((_, index) => number % (index + 2) === 0)
      .map(({ handle }) => `@${handle}`);
    const body = {
      body: `Number ${number} for ${named.join(' ')}`,
      ...(number % 3 === 0 && { replyToId: questions[number % THREADS].id }),
    };
    return await pickNode(number).ok(
      'POST',
      `/api/v1/threads/${threads[number % THREADS]}/messages`,
      {
        key: writer.key,
        body,
      },
    );
  };
  const written = await runConcurrently(WRITERS, async (index) => {
    const acks: Json[] = [];
    for (let count = 0; count < POSTS; count++)
      acks.push(await write(writers[index] as TestAgent, index * POSTS + count));
    return acks;
  });
  const acks = [
    ...written.flat(),
    await f.postMessage(
      host,
      threads[0] as string,
      readers.map(({ handle }) => `@${handle}`).join(' '),
    ),
  ];

  for (const [index, events] of (await reading).entries()) {
    const { id, handle, start } = readers[index] as Reader;
    const row = await firstApp.app.env.db.first<{ head: number }>(
      sql`SELECT head FROM event_heads WHERE agent_id = ${id}`,
    );
    const promised = acks.flatMap(({ id: messageId, notified }) =>
      notified
        .filter((one: Json) => one.handle === handle)
        .map(({ reason }: Json) => `${messageId} ${reason}`),
    );
    expect(promised.length).toBeGreaterThan(POSTS);
    expect(events.map((event) => event.id)).toEqual(
      Array.from({ length: (row?.head ?? 0) - start }, (_, place) => start + 1 + place),
    );
    expect(events.map(({ messageId, kind }) => `${messageId} ${kind}`).sort()).toEqual(
      promised.sort(),
    );
  }
});
