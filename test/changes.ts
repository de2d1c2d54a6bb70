import { sql } from '../src/db/sql.ts';
import type { TestApp } from './app.ts';

export interface Changes {
  /** How many rows were written, deleted or changed by what was committed. */
  count(): Promise<number>;
  /** Tables that were changed since this was asked last. */
  tables(): Promise<string[]>;
  /** From now on every write to this table fails; null: none does. */
  failAt(table: string | null): Promise<void>;
}

/**
 * Notes in each transaction what it changes, so that whatever is rolled back leaves no note, and lets writes fail at will.
 * That a key or agent was used is no change: it is noted in the background, whatever became of the call. A receipt is signed when it is read. Challenges are counted, and keys held, also
 * by a call that fails in the end.
 */
export async function watchChanges({ app }: TestApp): Promise<Changes> {
  const { db } = app.env;
  await db.run(sql`CREATE TABLE written (name text)`);
  await db.run(sql`CREATE TABLE failing (name text)`);
  await db.run(sql`CREATE FUNCTION watch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    -- Acts leave the queue for the log in the background.
    IF TG_TABLE_NAME = 'portable_queue' AND TG_OP = 'DELETE' THEN RETURN NULL; END IF;
    IF EXISTS (SELECT 1 FROM failing WHERE name = TG_TABLE_NAME) THEN RAISE EXCEPTION 'the disk is on fire'; END IF;
    -- What an upload claims is no effect of it; that it is given back is for those who look at what is stored.
    IF TG_TABLE_NAME <> 'blobs' THEN INSERT INTO written VALUES (TG_TABLE_NAME); END IF; RETURN NULL; END $$`);
  await db.run(sql`DO $$ DECLARE t record; BEGIN
    FOR t IN SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('written', 'failing', 'rate_buckets', 'webhook_verifications', 'idempotency_claims', 'portable_recipients', 'portable_signatures')
      AND NOT starts_with(tablename, 'log_') LOOP
      EXECUTE format('CREATE TRIGGER watch AFTER INSERT OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION watch()', t.name);
      EXECUTE format('CREATE TRIGGER watch_update AFTER UPDATE ON %1$I FOR EACH ROW WHEN (
        to_jsonb(OLD) - %2$L::text[] IS DISTINCT FROM to_jsonb(NEW) - %2$L::text[]) EXECUTE FUNCTION watch()', t.name, CASE t.name WHEN 'webhooks'
          -- Hints are sent in the background.
          THEN '{due_at,leased_until,generation,cursor,delivery_id,delivery_created_at,delivery_head,attempts,last_delivered_at}' ELSE '{last_used_at,last_active_on}' END);
    END LOOP; END $$`);
  return {
    count: async () => (await db.first<{ n: number }>(sql`SELECT count(*) AS n FROM written`))?.n ?? 0,
    async tables() {
      const rows = await db.rows<{ name: string }>(sql`WITH gone AS (DELETE FROM written RETURNING name) SELECT DISTINCT name FROM gone ORDER BY name`);
      return rows.map(({ name }) => name);
    },
    async failAt(table) {
      await db.run(sql`DELETE FROM failing`);
      if (table !== null) await db.run(sql`INSERT INTO failing VALUES (${table})`);
    },
  };
}
