import { raw } from 'sql-template-tag';
import { sql } from '../../src/db/sql.ts';
import type { TestApp } from '../support/app.ts';
import { withoutBackgroundColumns } from '../support/stored-rows.ts';

/**
 * Buckets come and go; a receipt is signed when it is read; challenges are counted, and keys held,
 * also by a call that fails in the end.
 */
const unwatchedTables = [
  'written',
  'failing',
  'rate_buckets',
  'webhook_verifications',
  'idempotency_claims',
  'portable_recipients',
  'portable_signatures',
];

export interface RowChanges {
  /** The number of the newest committed change of a row; it stays when nothing was committed. */
  getLatest(): Promise<number>;
  /** Tables that were changed since this was asked last. */
  takeTables(): Promise<string[]>;
  /** From now on every write to this table fails; null: none does. */
  failWritesTo(table: string | null): Promise<void>;
}

/**
 * Notes in each transaction what it changes, so that whatever is rolled back leaves no note, and
 * lets writes fail at will. What changes by itself is no change.
 */
export async function watchChanges({ app }: TestApp): Promise<RowChanges> {
  const { db } = app.env;
  await db.run(sql`CREATE TABLE written (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text
  )`);
  await db.run(sql`CREATE TABLE failing (name text)`);
  await db.run(sql`CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    -- Acts leave the queue for the log in the background.
    IF TG_TABLE_NAME = 'portable_queue' AND TG_OP = 'DELETE' THEN RETURN NULL; END IF;
    IF EXISTS (SELECT 1 FROM failing WHERE name = TG_TABLE_NAME) THEN
      RAISE EXCEPTION 'the disk is on fire';
    END IF;
    -- The claim of an upload is no effect of it. Tests of stored files check that it is given back.
    IF TG_TABLE_NAME <> 'blobs' THEN INSERT INTO written (name) VALUES (TG_TABLE_NAME); END IF;
    RETURN NULL;
  END $$`);
  const takeTables = await db.rows<{
    name: string;
  }>(sql`
    SELECT tablename AS name
    FROM pg_tables
    WHERE schemaname = 'public'
      AND tablename <> ALL(${unwatchedTables}::text[])
      AND NOT starts_with(tablename, 'log_')
  `);
  for (const { name } of takeTables) {
    await db.run(sql`
      CREATE TRIGGER watch AFTER
      INSERT OR
      DELETE ON ${raw(name)} FOR EACH ROW EXECUTE FUNCTION watch()
    `);
    await db.run(sql`
      CREATE TRIGGER watch_update AFTER
      UPDATE ON ${raw(name)} FOR EACH ROW WHEN (
        ${withoutBackgroundColumns(name, 'OLD')}
          IS DISTINCT FROM ${withoutBackgroundColumns(name, 'NEW')}
      ) EXECUTE FUNCTION watch()
    `);
  }
  return {
    getLatest: async () =>
      (await db.first<{ latest: number }>(sql`SELECT max(id) AS latest FROM written`))?.latest ?? 0,
    async takeTables() {
      const rows = await db.rows<{ name: string }>(sql`
        WITH gone AS (DELETE FROM written RETURNING name)
        SELECT DISTINCT name
        FROM gone
        ORDER BY name
      `);
      return rows.map(({ name }) => name);
    },
    async failWritesTo(table) {
      await db.run(sql`DELETE FROM failing`);
      if (table !== null) await db.run(sql`INSERT INTO failing VALUES (${table})`);
    },
  };
}
