import type pg from 'pg';
import { buildClientConfig } from './client-config.ts';
import type { Connection } from './connection.ts';
import { RESTORE_TABLE } from './copy/stored-tables.store.ts';
import { openClient } from './create-client.ts';
import type { Queryable } from './database.ts';
import { lockMigrations } from './migration-lock.ts';
import { migrations } from './migrations/index.ts';
import { grantRights } from './roles.ts';
import { runMigration } from './run-migration.ts';
import { type Sql, sql } from './sql.ts';

/** A newer version of Stoa has migrated the database. The message says what to do. */
export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew';
}

/** A restore into the database was interrupted. The message says what to do. */
export class RestoreUnfinished extends Error {
  override readonly name = 'RestoreUnfinished';
}

/** The id of the migration that this code needs. */
export const latestMigration = migrations.at(-1)?.id ?? 0;

/** Returns the highest migration of the database, 0 for an empty one. */
async function findCurrentMigration(
  readFirst: <Row>(query: Sql) => Promise<Row | undefined>,
): Promise<number> {
  const table = await readFirst<{ known: boolean }>(
    sql`SELECT to_regclass('migrations') IS NOT NULL AS known`,
  );
  if (!table?.known) return 0;
  const newest = await readFirst<{ id: number }>(
    sql`SELECT coalesce(max(id), 0)::int AS id FROM migrations`,
  );
  return newest?.id ?? 0;
}

/** Returns the highest migration of the database, 0 for an empty one. */
export const findMigration = (db: Queryable): Promise<number> =>
  findCurrentMigration((query) => db.first(query));

/** How a schema is brought up to date. */
export interface MigrateOptions {
  /** The last migration that a restore runs: that of the backup. Default: no restore, all run. */
  readonly upTo?: number;
  /** Gets a sentence for people when something takes long. */
  readonly report?: (text: string) => void;
}

async function assertRestored(client: pg.Client): Promise<void> {
  const found = await client.query('SELECT to_regclass($1) AS name', [RESTORE_TABLE]);
  if (found.rows[0]?.name !== null)
    throw new RestoreUnfinished(
      'A restore into this database was not completed: run the same restore again.',
    );
}

/**
 * Brings the schema up to date and returns the names of the migrations that ran. Others may
 * read and write meanwhile. A lock makes sure that nodes that start together migrate once. With
 * `service`, the connection of another role, that role gets its rights on the tables.
 * Errors: SchemaTooNew when a newer version of Stoa has migrated the database; RestoreUnfinished
 * when a restore has not completed and this is not that restore.
 */
export async function migrate(
  connection: Connection,
  service?: Connection,
  { upTo, report }: MigrateOptions = {},
): Promise<string[]> {
  const client = await openClient(connection, buildClientConfig(connection, { statementMs: null }));
  try {
    await lockMigrations(client, 'alone');
    if (upTo === undefined) await assertRestored(client);
    const current = await findCurrentMigration(
      async <Row>({ text }: Sql) => (await client.query(text)).rows[0] as Row | undefined,
    );
    // The service's own role may not, and need not where its owner has migrated everything.
    if (current === 0)
      await client.query(
        'CREATE TABLE IF NOT EXISTS migrations (id integer PRIMARY KEY, name text NOT NULL, ' +
          'applied_at timestamptz NOT NULL DEFAULT now())',
      );
    if (current > latestMigration) {
      throw new SchemaTooNew(
        `The database is at migration ${current}, this version knows ${latestMigration}. ` +
          'Start the newer version of Stoa that migrated it.',
      );
    }
    const due = migrations.filter(({ id }) => id > current && id <= (upTo ?? latestMigration));
    for (const migration of due) {
      if (current > 0 && typeof migration.sql !== 'string')
        report?.(`Migration ${migration.id} (${migration.name}) changes what is stored.`);
      await runMigration(client, migration, report);
    }
    if (service) await grantRights(client, service);
    return due.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
