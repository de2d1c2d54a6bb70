import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { createDatabase } from '../../test/support/database.ts';
import { waitUntil } from '../../test/support/factories.ts';
import { shareConnection } from './share-connection.ts';

const connection = await createDatabase(inject('server'));

/** A pool of one connection, so that a statement that waits for another one would show. */
async function setUp() {
  const pool = new pg.Pool({ ...connection, max: 1, pipeline: true } as pg.PoolConfig);
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const send = shareConnection(pool);
  const ask = async (text: string) => (await send({ text })).rows[0];
  return { pool, ask, [Symbol.asyncDispose]: () => pool.end() };
}

it('[db.shared-reads] statements that overlap have their own results and errors', async () => {
  await using service = await setUp();
  const answers = await Promise.allSettled([
    service.ask('SELECT 1 AS one, pg_backend_pid() AS pid'),
    service.ask('SELECT 1 / 0'),
    service.ask('SELECT 2 AS two, pg_backend_pid() AS pid'),
  ]);
  const [first, failed, last] = answers;
  expect(first).toMatchObject({ value: { one: 1 } });
  expect(failed).toMatchObject({ reason: { code: '22012' } });
  expect(last).toMatchObject({ value: { two: 2 } });
  expect(service.pool.idleCount).toBe(1);
});

it('[db.shared-reads] a broken connection fails what is under way and nothing later', async () => {
  await using service = await setUp();
  const { pid } = await service.ask('SELECT pg_backend_pid() AS pid');
  const underWay = Promise.allSettled([
    service.ask('SELECT pg_sleep(60)'),
    service.ask('SELECT 1'),
  ]);
  const other = new pg.Client(connection);
  await other.connect();
  await waitUntil('it sleeps', async () => {
    const { rows } = await other.query(
      "SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'",
      [pid],
    );
    return rows.length === 1;
  });
  await other.query('SELECT pg_terminate_backend($1)', [pid]);
  await other.end();
  for (const { status } of await underWay) expect(status).toBe('rejected');
  const next = await service.ask('SELECT pg_backend_pid() AS pid');
  expect(next.pid).not.toBe(pid);
  expect(service.pool.totalCount).toBe(1);
});
