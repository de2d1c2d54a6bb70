import { raw, type Sql } from 'sql-template-tag';
import type { Queryable } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';

/**
 * What changes by itself: buckets come and go, acts wait for their places in the log and get them,
 * and that an agent has read its events is noted some time later.
 * The acts themselves are counted.
 */
export const backgroundTables = [
  'rate_buckets',
  'webhook_verifications',
  'portable_queue',
  'portable_recipients',
  'log_state',
  'log_entries',
  'log_nodes',
  'log_checkpoints',
  'stream_reads',
];

/**
 * Columns that change by themselves: that a key or an agent was used is noted after the call,
 * whatever became of it; hints are sent when they are due.
 */
const backgroundColumns: Readonly<Record<string, readonly string[]>> = {
  agents: ['last_active_on'],
  api_keys: ['last_used_at'],
  webhooks: [
    'due_at',
    'leased_until',
    'generation',
    'cursor',
    'delivery_id',
    'delivery_created_at',
    'delivery_head',
    'attempts',
    'last_delivered_at',
  ],
};

/** A row of this table, named so, as JSON without what changes by itself. */
export const withoutBackgroundColumns = (table: string, row: string): Sql =>
  sql`to_jsonb(${raw(row)}) - ${raw(`'{${backgroundColumns[table] ?? ''}}'::text[]`)}`;

const listTables = (db: Pick<Queryable, 'rows'>) =>
  db.rows<{ name: string }>(sql`
    SELECT table_name AS name
    FROM information_schema.tables
    WHERE table_schema = 'public'
      AND table_type = 'BASE TABLE'
      AND table_name <> ALL(${backgroundTables}::text[])
    ORDER BY table_name
  `);

/**
 * Every row of every table as text (bytes as hex), to see what a request left behind; without what
 * changes by itself.
 */
export async function listStoredRows(db: Pick<Queryable, 'rows'>): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of await listTables(db)) {
    const rows = await db.rows<{ row: string }>(sql`
      SELECT (${withoutBackgroundColumns(name, 't')})::text AS row
      FROM ${raw(name)} t
      ORDER BY 1
    `);
    found.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return found;
}

/** Rows that hold a text, readable as it stands or as bytes. */
export function findRowsContaining(stored: readonly string[], text: string): string[] {
  const bytes = Buffer.from(text).toString('hex');
  return stored.filter((row) => row.includes(text) || row.includes(bytes));
}
