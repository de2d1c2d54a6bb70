import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { readSettings } from '../../src/config.ts';
import { sql } from '../../src/db/sql.ts';
import { isMutation } from '../../src/kernel/operation/any-operation.ts';
import type { Operation } from '../../src/kernel/operation/operation.ts';
import { allFeaturesOn } from '../support/all-features-on.ts';
import { ADMIN_KEY, startApp, type TestApp } from '../support/app.ts';
import { afterFile } from '../support/each-file.ts';
import { buildProblem, call, factories, waitUntil } from '../support/factories.ts';
import { makeValidCall } from './cases.ts';
import { callOperation, digestTables, registry } from './fixture.ts';
import { createFixturePool } from './fixture-pool.ts';
import { watchChanges } from './row-changes.ts';

const app = await startApp(
  { ...(await allFeaturesOn()), SELF_SERVICE_ACTIVATION: 'on' },
  { manualJobs: true },
);
const f = factories(app);
const changes = await watchChanges(app);
const getFixture = createFixturePool(f);

describe('an unexpected failure', () => {
  it('[error.internal] leaks nothing, and its request id finds the cause in the log', async () => {
    const broken = await startApp();
    const agent = await factories(broken).createAgent();
    await broken.app.env.db.run(sql`ALTER TABLE rooms RENAME COLUMN description TO secret_plans`);
    for (const [path, as] of [
      ['/api/v1/rooms', {}],
      ['/api/v1/rooms', { key: agent.key }],
      ['/api/v1/threads', { admin: true }],
    ] as const) {
      if (path === '/api/v1/threads') await broken.app.env.db.run(sql`DROP TABLE threads CASCADE`);
      const requestId = `trace-${randomUUID()}`;
      const answer = await call(broken.url, 'GET', path, {
        ...as,
        headers: { 'x-request-id': requestId },
      });
      expect(answer.body).toEqual({
        type: `${broken.url}/docs/errors.md#internal_error`,
        title: 'Something went wrong on our side.',
        status: 500,
        detail:
          'Something went wrong on our side. Repeat with the same idempotency key; if it ' +
          'stays, report the requestId.',
        code: 'internal_error',
        requestId,
      });
      const everything = JSON.stringify([answer.text, [...answer.headers]]);
      for (const leak of [
        'description',
        'secret_plans',
        'column',
        'relation',
        'exist',
        'SELECT',
        '42703',
        '42P01',
        'node_modules',
        '.ts',
      ])
        expect(everything).not.toContain(leak);
      // The cause is logged with the id, beside the line that every request has.
      const lines = broken.logs
        .map((line) => JSON.parse(line))
        .filter((line) => line.requestId === requestId);
      expect(lines.map(({ msg }) => msg)).toEqual(['request failed', 'request']);
      expect(lines[0].err).toMatchObject({
        message: expect.stringContaining('does not exist'),
        stack: expect.stringContaining('.ts'),
      });
      expect(lines[1]).toMatchObject({ status: 500, level: 50 });
    }
  });
});

describe('a request that fails half-way', () => {
  it.for(
    registry
      .filter(isMutation)
      .map((operation) => ({ name: operation.name, operation: operation as Operation })),
  )(
    '[error.nothing-half-done] $name leaves nothing behind when any of its writes fails',
    async ({ name, operation }) => {
      const trial = await makeValidCall(name, await getFixture(name), f);
      await changes.takeTables();
      expect((await callOperation(app.url, operation, trial.input, trial.as)).status).toBe(200);
      const tables = await changes.takeTables();
      expect(tables).toContain('idempotency_records');

      const { input, as } = await makeValidCall(name, await getFixture(name), f);
      const once = { ...as, idem: randomUUID() };
      const before = await digestTables(app);
      const latest = await changes.getLatest();
      for (const table of tables) {
        await changes.failWritesTo(table);
        const answer = await callOperation(app.url, operation, input, once);
        await changes.failWritesTo(null);
        const hint = `${name} did not write to ${table} again: set spoilsFixture in its case`;
        expect(answer, hint).toMatchObject(buildProblem(500, 'internal_error'));
        expect({ table, latest: await changes.getLatest() }).toEqual({ table, latest });
      }
      expect(await digestTables(app)).toEqual(before);
      const answer = await callOperation(app.url, operation, input, once);
      expect({
        status: answer.status,
        replayed: answer.headers.get('idempotency-replayed'),
      }).toEqual({ status: 200, replayed: null });
    },
  );
});

describe('a service that cannot answer', () => {
  const expectUnavailable = (answer: Awaited<ReturnType<typeof call>>) => {
    expect(answer).toMatchObject(buildProblem(503, 'unavailable'));
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  };

  it('[error.unavailable] without its store says when to come back, and is alive', async () => {
    const settings = readSettings({ PORT: '0', REALM: 'test', ADMIN_KEYS: ADMIN_KEY });
    const nowhere = { host: '/nowhere', port: 1, user: 'x', database: 'x' };
    const lonely = createApp(settings, { connection: nowhere, log: pino({ level: 'silent' }) });
    afterFile(() => lonely[Symbol.asyncDispose]());
    const url = await lonely.listen();
    for (const path of ['/api/v1/rooms', '/api/v1/stats', '/readyz'])
      expectUnavailable(await call(url, 'GET', path));
    expectUnavailable(await call(url, 'POST', '/api/v1/agents', { body: { handle: 'nobody' } }));
    expect((await call(url, 'GET', '/healthz')).status).toBe(200);
  });

  it('[error.unavailable] while its schema is not there yet is not ready', async () => {
    const young: TestApp = await startApp();
    await young.app.env.db.run(sql`DELETE FROM migrations`);
    expectUnavailable(await call(young.url, 'GET', '/readyz'));
  });

  it('[error.unavailable] while stopping refuses what comes in late', async () => {
    const leaving = await app.startNode();
    const { hostname, port } = new URL(leaving.url);
    const arrived = once(leaving.app.http.server, 'connection') as Promise<[Socket]>;
    const late = connect(Number(port), hostname);
    const closed = once(late, 'close');
    let text = '';
    late.on('data', (chunk) => {
      text += chunk;
    });
    // A request that had begun to arrive when the service was told to stop.
    late.write('GET /api/v1/version HTTP/1.1\r\nhost: localhost\r\n');
    const [socket] = await arrived;
    await waitUntil('the service has read it', () => socket.bytesRead > 0);
    const stopped = leaving.app[Symbol.asyncDispose]();
    late.write('\r\n');
    await Promise.all([stopped, closed]);
    expect(text).toMatch(/^HTTP\/1\.1 503 /);
    expect(text).toContain('"code":"unavailable"');
    expect(text).toMatch(/\r\nretry-after: [1-9]\d*\r\n/i);
  });
});
