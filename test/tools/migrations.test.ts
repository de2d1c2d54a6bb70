import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { RESTORE_TABLE } from '../../src/db/copy/stored-tables.store.ts';
import { latestMigration, migrate, RestoreUnfinished } from '../../src/db/migrate.ts';
import { holdMigrations } from '../../src/db/migration-lock.ts';
import { migrations } from '../../src/db/migrations/index.ts';
import { SERVICE_ROLE } from '../../src/db/roles.ts';
import { runMigration } from '../../src/db/run-migration.ts';
import { createDatabase } from '../support/database.ts';
import { waitUntil } from '../support/factories.ts';
import { query } from '../support/service.ts';

type Target = Awaited<ReturnType<typeof createDatabase>>;

const server = inject('server');

async function createEmptyDatabase(): Promise<Target> {
  const target = await createDatabase(server);
  await query(target, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  return target;
}

/** Sessions that asked for the lock of migrations last. */
const ASKS_FOR_LOCK = `
  SELECT 1
  FROM pg_stat_activity
  WHERE datname = current_database() AND query LIKE 'SELECT pg_try_advisory_lock(%'
    AND pid <> pg_backend_pid() AND state = 'idle'`;

async function openClient(target: Target): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(target);
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** Columns, constraints, indexes, triggers, functions and views of a database. */
const readSchema = (target: Target) =>
  query(
    target,
    `SELECT attrelid::regclass || '.' || attname || ' ' || attnum
       || format_type(atttypid, atttypmod) || attnotnull || attgenerated::text
       || coalesce(pg_get_expr(adbin, adrelid), '') AS part
     FROM pg_attribute
     JOIN pg_class c ON c.oid = attrelid
     LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
     WHERE relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
     UNION ALL
     SELECT conrelid::regclass || conname || pg_get_constraintdef(oid)
     FROM pg_constraint WHERE connamespace = 'public'::regnamespace
     UNION ALL
     SELECT pg_get_indexdef(indexrelid) || indisvalid
     FROM pg_index JOIN pg_class ON oid = indexrelid WHERE relnamespace = 'public'::regnamespace
     UNION ALL
     SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL
     SELECT pg_get_functiondef(oid) FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
     ORDER BY 1`,
  );

it('[attack.61-5] (API6) a service that starts beside a restore finds its mark', async () => {
  const target = await createEmptyDatabase();
  await using client = await openClient(target);
  let migrated: Promise<unknown> = Promise.resolve();
  await holdMigrations(client, async () => {
    migrated = migrate(target).catch((error: unknown) => error);
    // The session that holds it has asked for it too.
    await waitUntil('it waits', async () => (await query(target, ASKS_FOR_LOCK)).length > 1);
    await client.query(`CREATE TABLE ${RESTORE_TABLE} (taken_at text, loaded boolean)`);
  });
  expect(await migrated).toBeInstanceOf(RestoreUnfinished);
  expect(await query(target, `SELECT to_regclass('agents') AS found`)).toEqual([{ found: null }]);
});

it('[attack.61-3] (V14) the role of the service starts where its owner has migrated', async () => {
  const target = await createEmptyDatabase();
  const service = { ...target, user: SERVICE_ROLE };
  await migrate(target, service);
  expect(await migrate(service)).toEqual([]);
});

describe('migrations', () => {
  it('[ops.migration-resumes] begin again where a run broke off', async () => {
    const target = await createEmptyDatabase();
    await migrate(target, undefined, { upTo: 1 });
    await using client = await openClient(target);
    for (const migration of migrations.slice(1)) {
      const { sql } = migration;
      const steps = typeof sql === 'string' ? [] : sql;
      const repeated = typeof steps.at(-1) === 'string' ? steps.slice(0, -1) : steps;
      for (const step of repeated)
        await client.query(typeof step === 'string' ? step : step.outside);
      await runMigration(client, migration);
    }
    const whole = await createDatabase(server);
    expect(await readSchema(target)).toEqual(await readSchema(whole));
  });

  it('[ops.migration-yields] lets others work while it waits for a lock', async () => {
    const target = await createEmptyDatabase();
    await migrate(target, undefined, { upTo: 20 });
    await using holder = await openClient(target);
    await holder.query('BEGIN; SELECT FROM messages');
    let isOver = false;
    const running = migrate(target).then(() => {
      isOver = true;
    });
    const findLast = async () =>
      (await query(target, 'SELECT max(id) AS id FROM migrations'))[0].id;
    // The next one changes the table that the transaction reads.
    await waitUntil('the migration waits', async () => (await findLast()) === 29);
    for (let nr = 0; nr < 20; nr++) await query(target, 'UPDATE messages SET body = body');
    expect(isOver).toBe(false);
    await holder.query('COMMIT');
    await running;
    expect(await findLast()).toBe(latestMigration);
  });
});
