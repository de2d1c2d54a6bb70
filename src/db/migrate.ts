import pg from 'pg';
import { clientConfig } from './client-config.ts';
import type { Connection } from './connection.ts';
import type { Queryable } from './database.ts';
import { migrations } from './migrations/index.ts';
import type { Sql } from './sql.ts';

/** Any constant: all processes that migrate one database take the same lock. */
const LOCK = 7_303_014_001;

/** A newer version of Stoa has migrated the database; the message says what to do. */
export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew';
}

/** The migration that this code needs. */
export const latest = migrations.at(-1)?.id ?? 0;

/** Highest migration that the database has; 0 for an empty one. */
async function currentMigration(client: {
  query(text: string): Promise<{ rows: unknown[] }>;
}): Promise<number> {
  const known = await client.query(`SELECT to_regclass('migrations') IS NOT NULL AS known`);
  if (!(known.rows[0] as { known: boolean }).known) return 0;
  const { rows } = await client.query('SELECT coalesce(max(id), 0)::int AS id FROM migrations');
  return (rows[0] as { id: number }).id;
}

/** The same through a pool. */
export const migrationOf = (db: Queryable): Promise<number> =>
  currentMigration({
    query: async (text) => ({ rows: await db.rows({ text, values: [] } as unknown as Sql) }),
  });

/**
 * Brings the schema up to date, each migration in a transaction of its own, under a lock so that nodes that start
 * together do it once. Returns the names of the migrations that ran. Errors: SchemaTooNew.
 */
export async function migrate(connection: Connection): Promise<string[]> {
  const client = new pg.Client(clientConfig(connection, { statementMs: null }));
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (id integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const current = await currentMigration(client);
    if (current > latest) {
      throw new SchemaTooNew(
        `The database is at migration ${current}, this version knows ${latest}. Start the newer version of Stoa that migrated it.`,
      );
    }
    const due = migrations.filter((migration) => migration.id > current);
    for (const { id, name, sql } of due) {
      await client.query('BEGIN');
      await client.query(sql);
      await client.query('INSERT INTO migrations (id, name) VALUES ($1, $2)', [id, name]);
      await client.query('COMMIT');
    }
    return due.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
