import pg from 'pg';
import { buildClientConfig } from './client-config.ts';
import type { Connection } from './connection.ts';
import type { Queryable } from './database.ts';
import { migrations } from './migrations/index.ts';
import { grantRights } from './roles.ts';
import { type Sql, sql } from './sql.ts';

/** An arbitrary constant. All processes that migrate one database take the same lock. */
const MIGRATION_LOCK = 7_303_014_001;

/** A newer version of Stoa has migrated the database. The message says what to do. */
export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew';
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

/**
 * Brings the schema up to date and returns the names of the migrations that ran. Each runs in a
 * transaction of its own. A lock makes sure that nodes that start together migrate once. With
 * `service`, the connection of another role, that role gets its rights on the tables.
 * Errors: SchemaTooNew when a newer version of Stoa has migrated the database.
 */
export async function migrate(connection: Connection, service?: Connection): Promise<string[]> {
  const client = new pg.Client(buildClientConfig(connection, { statementMs: null }));
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (id integer PRIMARY KEY, name text NOT NULL, ' +
        'applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const current = await findCurrentMigration(
      async <Row>({ text }: Sql) => (await client.query(text)).rows[0] as Row | undefined,
    );
    if (current > latestMigration) {
      throw new SchemaTooNew(
        `The database is at migration ${current}, this version knows ${latestMigration}. ` +
          'Start the newer version of Stoa that migrated it.',
      );
    }
    const due = migrations.filter((migration) => migration.id > current);
    for (const { id, name, sql: statements } of due) {
      await client.query('BEGIN');
      await client.query(statements);
      await client.query('INSERT INTO migrations (id, name) VALUES ($1, $2)', [id, name]);
      await client.query('COMMIT');
    }
    if (service) await grantRights(client, service);
    return due.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
