import { raw } from 'sql-template-tag';
import type { Queryable } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';

/** What changes by itself: buckets come and go, acts wait for their places in the log and get them. The acts themselves are counted. */
export const background = [
  'rate_buckets',
  'webhook_verifications',
  'portable_queue',
  'portable_recipients',
  'log_state',
  'log_entries',
  'log_nodes',
  'log_checkpoints',
];

const tables = (db: Pick<Queryable, 'rows'>) =>
  db.rows<{ name: string }>(sql`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> ALL(${background}::text[]) ORDER BY table_name`);

/** Every row of every table as text (bytes as hex), to see what a request left behind; without the notes of use, which follow later by themselves. */
export async function everythingStored(db: Pick<Queryable, 'rows'>): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await tables(db)) {
    const rows = await db.rows<{ row: string }>(
      sql`SELECT (to_jsonb(t) - '{last_used_at,last_active_on}'::text[])::text AS row FROM ${raw(name)} t ORDER BY 1`,
    );
    found.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return found;
}

/** Rows that hold a text, readable as it stands or as bytes. */
export function holding(stored: readonly string[], text: string): string[] {
  const bytes = Buffer.from(text).toString('hex');
  return stored.filter((row) => row.includes(text) || row.includes(bytes));
}
