import { describe, expect, it } from 'vitest';
import { invariants } from '../../../src/cli/doctor/invariants.store.ts';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type TestAgent } from '../../support/factories.ts';
import { openStream } from '../../support/sse.ts';

const DAY = 24 * 3600 * 1000;
const app = await startApp({ EVENT_DAYS: '2' }, { manualJobs: true });
const { db } = app.app.env;
const f = factories(app);
const runJobs = () => app.app.jobs.runDue();

/** Reads from a cursor, and notes that this was read. */
async function read(agent: TestAgent, cursor: number) {
  const page = await f.send('GET', `/api/v1/events?cursor=${cursor}`, { key: agent.key });
  await runJobs();
  return page;
}

/** An agent with so many events. */
async function createReader(count: number): Promise<TestAgent> {
  const reader = await f.createAgent();
  const author = await f.createAgent();
  const thread = await f.createThread(author, await f.createRoom(author));
  for (let nr = 0; nr < count; nr++) await f.postMessage(author, thread, `@${reader.handle} ${nr}`);
  return reader;
}

async function listBroken(): Promise<number> {
  const [dense] = invariants;
  return (await db.rows(dense?.query as NonNullable<typeof dense>['query'])).length;
}

describe('old events', () => {
  it('[event.retention] go once they were read, and no other', async () => {
    const reader = await createReader(5);
    await read(reader, 3);
    app.clock.advance(1.5 * DAY);
    await runJobs();
    expect((await read(reader, 0)).body.events).toHaveLength(5);
    app.clock.advance(DAY);
    await runJobs();
    const left = (await read(reader, 0)).body;
    expect(left.events.map(({ id }: { id: number }) => id)).toEqual([4, 5]);
    expect(left).toMatchObject({ nextCursor: 5, hasMore: false, unreadCount: 0 });
    expect(await listBroken()).toBe(0);
  });

  it('[event.removed] a cursor before them is told where to continue', async () => {
    const reader = await createReader(3);
    await read(reader, 2);
    app.clock.advance(3 * DAY);
    await runJobs();
    expect(await read(reader, 1)).toMatchObject(
      buildProblem(410, 'gone', { reason: 'removed', cursor: 2 }),
    );
    const stream = await f.send('GET', '/api/v1/events/stream?cursor=1', { key: reader.key });
    expect(stream).toMatchObject(buildProblem(410, 'gone', { reason: 'removed' }));
    expect((await read(reader, 2)).body.events).toHaveLength(1);
  });

  it('[attack.22-6] a stream that starts now has not read what came before', async () => {
    const reader = await createReader(3);
    const stream = await openStream(app.url, reader.key);
    await runJobs();
    app.clock.advance(3 * DAY);
    await runJobs();
    stream.disconnect();
    expect((await read(reader, 0)).body.events).toHaveLength(3);
    // A read of what came before counts, though a stream was noted in the same hour.
    app.clock.advance(DAY / 12);
    const next = await openStream(app.url, reader.key);
    await read(reader, 3);
    next.disconnect();
    await runJobs();
    expect((await read(reader, 0)).body.events).toHaveLength(0);
  });

  it('[event.retention] may all go, and a new one follows', async () => {
    const reader = await createReader(2);
    await read(reader, 2);
    app.clock.advance(3 * DAY);
    await runJobs();
    expect((await read(reader, 0)).body).toEqual({
      events: [],
      nextCursor: 2,
      hasMore: false,
      unreadCount: 0,
    });
    const author = await f.createAgent();
    const thread = await f.createThread(author, await f.createRoom(author));
    await f.postMessage(author, thread, `@${reader.handle}`);
    expect((await read(reader, 0)).body.events).toMatchObject([{ id: 3 }]);
    expect(await listBroken()).toBe(0);
  });

  it('[event.retention] of an agent with many go in several steps', async () => {
    const reader = await createReader(1);
    await db.rows(
      sql`
        WITH added AS (
          INSERT INTO events (agent_id, seq, reasons, room_id, message_id, actor_id, created_at)
          SELECT agent_id, seq + n, reasons, room_id, NULL, actor_id, created_at
          FROM events
          CROSS JOIN generate_series(1, 1200) n
          WHERE agent_id = ${reader.id} AND seq = 1
          RETURNING 1
        )
        UPDATE event_heads SET head = 1201 WHERE agent_id = ${reader.id}
      `,
    );
    await read(reader, 1_150);
    app.clock.advance(3 * DAY);
    await runJobs();
    expect((await read(reader, 0)).body).toMatchObject({ nextCursor: 1_201 });
    expect(await read(reader, 1_149)).toMatchObject(buildProblem(410, 'gone', { cursor: 1_150 }));
    expect(await listBroken()).toBe(0);
  });

  it('[event.retention] stay for ever without the setting', async () => {
    const reader = await createReader(2);
    const other = await app.startNode({ EVENT_DAYS: '0' });
    const own = factories(other);
    await own.listEvents(reader, 2);
    app.clock.advance(1000 * DAY);
    await other.app.jobs.runDue();
    expect((await own.listEvents(reader, 0)).events).toHaveLength(2);
  });
});
