import pg from 'pg';
import { type Connection, clientConfig } from './database.ts';
import { migrations } from './migrations/index.ts';

/** Any constant: all processes that migrate one database take the same lock. */
const LOCK = 7_303_014_001;

/** The migration that this code needs. */
export const latest = migrations.at(-1)?.id ?? 0;

/** Highest migration that the database has; 0 for an empty one. */
export async function currentMigration(client: { query(text: string): Promise<{ rows: unknown[] }> }): Promise<number> {
  const known = await client.query(`SELECT to_regclass('migrations') IS NOT NULL AS known`);
  if (!(known.rows[0] as { known: boolean }).known) return 0;
  const { rows } = await client.query('SELECT coalesce(max(id), 0)::int AS id FROM migrations');
  return (rows[0] as { id: number }).id;
}

/**
 * Brings the schema up to date, each migration in a transaction of its own, under a lock so that nodes that start
 * together do it once. A database that is newer than this code is refused.
 * Returns the names of the migrations that ran.
 */
export async function migrate(connection: Connection): Promise<string[]> {
  const client = new pg.Client({ ...clientConfig(connection), options: '-c TimeZone=UTC' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query('CREATE TABLE IF NOT EXISTS migrations (id integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())');
    const current = await currentMigration(client);
    if (current > latest) {
      throw new Error(`The database is at migration ${current}, this version knows ${latest}. Start the newer version of Stoa that migrated it.`);
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
