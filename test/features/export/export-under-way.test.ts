import { describe, expect, it, vi } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { exportOf, exportPath, fill, ofType, openSlowly, recordsOf } from './read-export.ts';
import { factories, refused, type TestAgent, until } from '../../support/factories.ts';

vi.setConfig({ testTimeout: 60_000 });

const app = await startApp();
const f = factories(app);
const { db } = app.app.env;

/** What sockets, both ends' streams and the service's own two batches hold together is less than half of it. */
const MESSAGES = 40_000;
const owner = await f.agent();
const room = await f.room(owner, 'public');
const thread = await f.thread(owner, room);
await fill(app, thread, MESSAGES - 1, 'x'.repeat(1_000));
const whole = (await exportOf(app, owner.key, room)).text;

/** A member of the room that has begun to read an export of it and stopped. */
async function reader(): Promise<{
  agent: TestAgent;
  slow: Awaited<ReturnType<typeof openSlowly>>;
}> {
  const agent = await f.agent();
  await f.join(agent, room);
  return { agent, slow: await openSlowly(app, agent.key, exportPath(room)) };
}

/** Whoever reads on without being asked has read everything by the time that one who began later has been served whole. */
const letItRunAhead = () => exportOf(app, owner.key, room);

describe('an export whose reader takes its time', () => {
  it('[export.constant-memory] is read as the reader takes it: what changes meanwhile is in it', async () => {
    const { slow } = await reader();
    await letItRunAhead();
    await db.run(
      sql`UPDATE messages SET body = 'changed while nobody read' WHERE thread_id = ${thread} AND position >= ${MESSAGES / 2}`,
    );
    const { text, broken } = await slow.rest();
    await db.run(
      sql`UPDATE messages SET body = position || ' ' || repeat('x', 1000) WHERE thread_id = ${thread} AND position >= ${MESSAGES / 2}`,
    );
    expect(broken).toBe(false);
    const bodies = ofType(recordsOf(text), 'message').map(({ body }) => body);
    expect(bodies).toHaveLength(MESSAGES);
    expect(new Set(bodies.slice(MESSAGES / 2))).toEqual(new Set(['changed while nobody read']));
    expect(bodies[1]).toMatch(/^\d x+$/);
  });

  it('[export.constant-memory] holds no connection, however many wait', async () => {
    const slow = await Promise.all(Array.from({ length: db.pool.totalCount + 12 }, reader));
    await letItRunAhead();
    await until(
      'no connection is in use',
      () => db.pool.idleCount === db.pool.totalCount && db.pool.waitingCount === 0,
    );
    const held = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`;
    await until('no transaction is open', async () => (await db.run(held)) === 0);
    await f.post(owner, await f.thread(owner, room), 'and others go on');
    for (const { slow: one } of slow) one.leave();
  });

  it('[export.limit] and an agent can read four at once, until it has read or left one', async () => {
    const { agent, slow } = await reader();
    const more = [
      await openSlowly(app, agent.key, exportPath(room)),
      await openSlowly(app, agent.key, exportPath(room)),
      await openSlowly(app, agent.key, exportPath(room)),
    ];
    expect(await f.send('GET', exportPath(room), { key: agent.key })).toMatchObject(
      refused(429, 'rate_limited', { retryAfterSeconds: 10 }),
    );
    expect((await exportOf(app, owner.key, room)).text.length).toBeGreaterThan(MESSAGES * 1_000);
    slow.leave();
    await until('there is room for another', async () => {
      const another = await openSlowly(app, agent.key, exportPath(room)).catch(() => undefined);
      if (another) more.push(another);
      return another !== undefined;
    });
    expect(await f.send('GET', exportPath(room), { key: agent.key })).toMatchObject(
      refused(429, 'rate_limited'),
    );
    expect((await more[0]?.rest())?.broken).toBe(false);
    for (const one of more) one.leave();
  });
});

describe('an export that may not go on', () => {
  const ends: Record<string, (agent: TestAgent) => Promise<unknown>> = {
    'its reader was removed from the room': ({ id }) =>
      f.ok('DELETE', `/api/v1/rooms/${room}/members/${id}`, { key: owner.key }),
    'its reader left the room': ({ id, key }) =>
      f.ok('DELETE', `/api/v1/rooms/${room}/members/${id}`, { key }),
    'its reader was blocked': ({ id }) =>
      f.ok('PUT', `/api/v1/admin/agents/${id}/block`, { admin: true, body: { blocked: true } }),
    'its key was revoked': ({ key }) => f.ok('DELETE', '/api/v1/me/keys/current', { key }),
  };
  it.for(Object.entries(ends))('[export.broken-off] breaks off when %s', async ([, end]) => {
    const { agent, slow } = await reader();
    await end(agent);
    const { text, broken } = await slow.rest();
    expect(broken).toBe(true);
    expect(text.length).toBeLessThan(whole.length / 2);
    expect(text).not.toContain('{"type":"end"');
  });

  it('[export.broken-off] breaks off when a thread is deleted of which it has written a part', async () => {
    const another = await f.room(owner, 'private');
    const doomed = await f.thread(owner, another);
    await fill(app, doomed, MESSAGES, 'x'.repeat(1_000));
    const slow = await openSlowly(app, owner.key, exportPath(another));
    await f.ok('DELETE', `/api/v1/admin/threads/${doomed}`, { admin: true });
    const { text, broken } = await slow.rest();
    expect([broken, text.includes('{"type":"end"')]).toEqual([true, false]);
    expect(ofType((await exportOf(app, owner.key, another)).records, 'thread')).toEqual([]);
  });

  it('[export.broken-off] but leaves out a thread that is deleted before its turn', async () => {
    const another = await f.room(owner, 'private');
    const [first, doomed, last] = [
      await f.thread(owner, another),
      await f.thread(owner, another, { body: 'doomed' }),
      await f.thread(owner, another),
    ];
    await fill(app, first, MESSAGES, 'x'.repeat(1_000));
    const slow = await openSlowly(app, owner.key, exportPath(another));
    await f.ok('DELETE', `/api/v1/admin/threads/${doomed}`, { admin: true });
    const { text, broken } = await slow.rest();
    expect([broken, text.includes('doomed')]).toEqual([false, false]);
    expect(ofType(recordsOf(text), 'thread').map(({ id }) => id)).toEqual([first, last]);
  });

  it('[export.broken-off] breaks off when bytes of a file are lost, and the log says so', async () => {
    const another = await f.room(owner, 'private');
    const { id } = await f.post(owner, await f.thread(owner, another), 'With a file');
    const { sha256 } = await f.attach(owner, id);
    await fill(
      app,
      (await f.ok('GET', `/api/v1/threads?roomId=${another}`, { key: owner.key }))[0].id,
      10,
      'x',
    );
    await app.app.env.blobs.delete(sha256);
    const slow = await openSlowly(app, owner.key, exportPath(another, true));
    const { text, broken } = await slow.rest();
    expect([broken, text.includes('{"type":"end"')]).toEqual([true, false]);
    await until('the operator is told', () =>
      app.logs.some((line) => line.includes('an answer broke off') && line.includes(sha256)),
    );
    expect((await exportOf(app, owner.key, another)).records.length).toBeGreaterThan(10);
  });
});
