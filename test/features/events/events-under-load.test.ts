import { expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { factories, type Loose, type TestAgent, together } from '../../support/factories.ts';
import { openStream } from '../../support/sse.ts';

const here = await startApp();
const there = await here.another();
const [f, g] = [factories(here), factories(there)];
/** Calls go to one service and the other in turn. */
const at = (index: number) => (index % 2 === 0 ? f : g);

const WRITERS = 16;
const POSTS = 20;
const THREADS = 5;

interface Reader extends TestAgent {
  /** Where its stream stood before the writers began. */
  readonly start: number;
}

/** Ends the reading: only the host's last word comes from the host. */
const isLast = (host: TestAgent) => (event: Loose) => event.actorId === host.id;

/** Polls without rest, with its own page size, now here and now there. */
async function poll(
  reader: Reader,
  limit: number,
  wait: number,
  last: (event: Loose) => boolean,
): Promise<Loose[]> {
  const events: Loose[] = [];
  let cursor = reader.start;
  for (let turn = 0; !events.some(last); turn++) {
    const page = await at(turn).ok(
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

/** Follows the stream and breaks off after every 40 events, as a client with a bad connection. */
async function listen(reader: Reader, last: (event: Loose) => boolean): Promise<Loose[]> {
  const events: Loose[] = [];
  while (!events.some(last)) {
    const { url } = events.length % 80 < 40 ? here : there;
    const stream = await openStream(url, reader.key, '', {
      'last-event-id': String(events.at(-1)?.id ?? reader.start),
    });
    do events.push((await stream.event())?.data);
    while (events.length % 40 !== 0 && !events.some(last));
    stream.leave();
  }
  return events;
}

it('[event.exactly-once] every reader sees every event once and in order while 16 agents write to two services', {
  timeout: 60_000,
}, async () => {
  const host = await f.agent();
  const roomId = await f.room(host);
  const threads = await together(THREADS, () => f.thread(host, roomId));
  const writers = await together(WRITERS, () => f.agent());
  const agents = await together(6, () => f.agent());
  await Promise.all([...writers, ...agents].map((agent) => f.join(agent, roomId)));
  // The first four follow all threads; the last four have a message in one, to be answered; all are mentioned now and then.
  await Promise.all(
    agents
      .slice(0, 4)
      .flatMap(({ key }) =>
        threads.map((id) => f.ok('PUT', `/api/v1/threads/${id}/subscription`, { key })),
      ),
  );
  const questions = await Promise.all(
    threads.map((id, index) => f.post(agents[2 + (index % 4)] as TestAgent, id, 'A question.')),
  );
  const readers: Reader[] = await Promise.all(
    agents.map(async (agent) => ({ ...agent, start: (await f.events(agent)).nextCursor })),
  );

  const last = isLast(host);
  const ways = [
    (reader: Reader) => poll(reader, 1, 0, last),
    (reader: Reader) => listen(reader, last),
    (reader: Reader) => poll(reader, 3, 1, last),
    (reader: Reader) => poll(reader, 500, 60, last),
    (reader: Reader) => poll(reader, 100, 0, last),
    (reader: Reader) => listen(reader, last),
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
    return await at(number).ok('POST', `/api/v1/threads/${threads[number % THREADS]}/messages`, {
      key: writer.key,
      body,
    });
  };
  const written = await together(WRITERS, async (index) => {
    const acks: Loose[] = [];
    for (let count = 0; count < POSTS; count++)
      acks.push(await write(writers[index] as TestAgent, index * POSTS + count));
    return acks;
  });
  const acks = [
    ...written.flat(),
    await f.post(host, threads[0] as string, readers.map(({ handle }) => `@${handle}`).join(' ')),
  ];

  for (const [index, events] of (await reading).entries()) {
    const { id, handle, start } = readers[index] as Reader;
    const row = await here.app.env.db.first<{ head: number }>(
      sql`SELECT head FROM event_heads WHERE agent_id = ${id}`,
    );
    const promised = acks.flatMap(({ id: messageId, notified }) =>
      notified
        .filter((one: Loose) => one.handle === handle)
        .map(({ reason }: Loose) => `${messageId} ${reason}`),
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
