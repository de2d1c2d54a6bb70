import { describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../support/app.ts';
import { buildProblem, factories, type TestAgent, waitUntil } from '../../support/factories.ts';
import {
  buildExportPath,
  exportRoom,
  filterByType,
  insertMessages,
  openSlowly,
  parseRecords,
} from './read-export.ts';

const app = await startApp();
const f = factories(app);
const { db } = app.app.env;

/**
 * The sockets, the streams of both ends and the service's own two batches together hold less than
 * half of it.
 */
const MESSAGES = 40_000;
const owner = await f.createAgent();
const room = await f.createRoom(owner, 'public');
const thread = await f.createThread(owner, room);
await insertMessages(app, thread, MESSAGES - 1, 'x'.repeat(1_000));
const wholeExport = (await exportRoom(app, owner.key, room)).text;

/** Starts a member of the room that has begun to read an export of it and stopped. */
async function openReader(): Promise<{
  agent: TestAgent;
  slow: Awaited<ReturnType<typeof openSlowly>>;
}> {
  const agent = await f.createAgent();
  await f.joinRoom(agent, room);
  return { agent, slow: await openSlowly(app, agent.key, buildExportPath(room)) };
}

/**
 * A stream that does not wait for its reader has ended by the time that an export begun later is
 * served completely.
 */
const exportAgain = () => exportRoom(app, owner.key, room);

describe('exportRoom with a slow reader', () => {
  it('[export.constant-memory] sends data on demand, with later changes', async () => {
    const { slow } = await openReader();
    await exportAgain();
    await db.run(sql`
      UPDATE messages
      SET body = 'changed while nobody read'
      WHERE thread_id = ${thread} AND position >= ${MESSAGES / 2}
    `);
    const { text, broken } = await slow.readRest();
    await db.run(sql`
      UPDATE messages
      SET body = position || ' ' || repeat('x', 1000)
      WHERE thread_id = ${thread} AND position >= ${MESSAGES / 2}
    `);
    expect(broken).toBe(false);
    const bodies = filterByType(parseRecords(text), 'message').map(({ body }) => body);
    expect(bodies).toHaveLength(MESSAGES);
    expect(new Set(bodies.slice(MESSAGES / 2))).toEqual(new Set(['changed while nobody read']));
    expect(bodies[1]).toMatch(/^\d x+$/);
  });

  it('[export.constant-memory] holds no database connection while readers wait', async () => {
    const slow = await Promise.all(Array.from({ length: db.pool.totalCount + 4 }, openReader));
    await exportAgain();
    await waitUntil(
      'no connection is in use',
      () => db.pool.idleCount === db.pool.totalCount && db.pool.waitingCount === 0,
    );
    const held = sql`
      SELECT 1
      FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
    `;
    await waitUntil('no transaction is open', async () => (await db.run(held)) === 0);
    await f.postMessage(owner, await f.createThread(owner, room), 'and others go on');
    for (const { slow: one } of slow) one.disconnect();
  });

  it('[export.limit] lets an agent read four at once until one is read or left', async () => {
    const { agent, slow } = await openReader();
    const more = [
      await openSlowly(app, agent.key, buildExportPath(room)),
      await openSlowly(app, agent.key, buildExportPath(room)),
      await openSlowly(app, agent.key, buildExportPath(room)),
    ];
    expect(await f.send('GET', buildExportPath(room), { key: agent.key })).toMatchObject(
      buildProblem(429, 'rate_limited', { retryAfterSeconds: 10 }),
    );
    expect((await exportRoom(app, owner.key, room)).text.length).toBeGreaterThan(MESSAGES * 1_000);
    slow.disconnect();
    await waitUntil('there is room for another', async () => {
      const another = await openSlowly(app, agent.key, buildExportPath(room)).catch(
        () => undefined,
      );
      if (another) more.push(another);
      return another !== undefined;
    });
    expect(await f.send('GET', buildExportPath(room), { key: agent.key })).toMatchObject(
      buildProblem(429, 'rate_limited'),
    );
    expect((await more[0]?.readRest())?.broken).toBe(false);
    for (const one of more) one.disconnect();
  });
});

describe('exportRoom when it cannot continue', () => {
  const endings: Record<string, (agent: TestAgent) => Promise<unknown>> = {
    'its reader was removed from the room': ({ id }) =>
      f.ok('DELETE', `/api/v1/rooms/${room}/members/${id}`, { key: owner.key }),
    'its reader left the room': ({ id, key }) =>
      f.ok('DELETE', `/api/v1/rooms/${room}/members/${id}`, { key }),
    'its reader was blocked': ({ id }) =>
      f.ok('PUT', `/api/v1/admin/agents/${id}/block`, { admin: true, body: { blocked: true } }),
    'its key was revoked': ({ key }) => f.ok('DELETE', '/api/v1/me/keys/current', { key }),
  };
  it.for(Object.entries(endings))('[export.broken-off] breaks off when %s', async ([, end]) => {
    const { agent, slow } = await openReader();
    await end(agent);
    const { text, broken } = await slow.readRest();
    expect(broken).toBe(true);
    expect(text.length).toBeLessThan(wholeExport.length / 2);
    expect(text).not.toContain('{"type":"end"');
  });

  it('[export.broken-off] breaks off when a thread that is partly written is deleted', async () => {
    const another = await f.createRoom(owner, 'private');
    const doomed = await f.createThread(owner, another);
    await insertMessages(app, doomed, MESSAGES, 'x'.repeat(1_000));
    const slow = await openSlowly(app, owner.key, buildExportPath(another));
    await slow.readUntil('"type":"message"');
    await f.ok('DELETE', `/api/v1/admin/threads/${doomed}`, { admin: true });
    const { text, broken } = await slow.readRest();
    expect({ broken, ended: text.includes('{"type":"end"') }).toEqual({
      broken: true,
      ended: false,
    });
    expect(filterByType((await exportRoom(app, owner.key, another)).records, 'thread')).toEqual([]);
  });

  it('[export.broken-off] leaves out a thread that is deleted before its turn', async () => {
    const another = await f.createRoom(owner, 'private');
    const first = await f.createThread(owner, another);
    const doomed = await f.createThread(owner, another, { body: 'doomed' });
    const last = await f.createThread(owner, another);
    await insertMessages(app, first, MESSAGES, 'x'.repeat(1_000));
    const slow = await openSlowly(app, owner.key, buildExportPath(another));
    await f.ok('DELETE', `/api/v1/admin/threads/${doomed}`, { admin: true });
    const { text, broken } = await slow.readRest();
    expect({ broken, hasDoomed: text.includes('doomed') }).toEqual({
      broken: false,
      hasDoomed: false,
    });
    expect(filterByType(parseRecords(text), 'thread').map(({ id }) => id)).toEqual([first, last]);
  });

  it('[export.broken-off] breaks off and logs it when bytes of a file are lost', async () => {
    const another = await f.createRoom(owner, 'private');
    const { id } = await f.postMessage(owner, await f.createThread(owner, another), 'With a file');
    const { sha256 } = await f.attachFile(owner, id);
    await insertMessages(
      app,
      (await f.ok('GET', `/api/v1/threads?roomId=${another}`, { key: owner.key }))[0].id,
      10,
      'x',
    );
    await app.app.env.blobs.delete(sha256);
    const slow = await openSlowly(app, owner.key, buildExportPath(another, true));
    const { text, broken } = await slow.readRest();
    expect({ broken, ended: text.includes('{"type":"end"') }).toEqual({
      broken: true,
      ended: false,
    });
    await waitUntil('the operator is told', () =>
      app.logs.some((line) => line.includes('an answer broke off') && line.includes(sha256)),
    );
    expect((await exportRoom(app, owner.key, another)).records.length).toBeGreaterThan(10);
  });
});
