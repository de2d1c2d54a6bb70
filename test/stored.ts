import { raw } from 'sql-template-tag';
import type { Queryable } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';

/** Buckets of the rate limiter come and go by themselves. */
const tables = (db: Pick<Queryable, 'rows'>) =>
  db.rows<{ name: string }>(sql`SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'rate_buckets' ORDER BY table_name`);

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
