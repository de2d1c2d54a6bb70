import type { SqlLimit } from '../load/sql-limit.ts';

/** What is stored of a table: rows that were ever added, and bytes of it and of its indexes. */
export interface StoredTable {
  readonly name: string;
  readonly added: number;
  readonly changed: number;
  readonly bytes: number;
  readonly indexes: ReadonlyMap<string, number>;
}

/** Reads the bytes of all tables, after what was written has its last place. */
export async function readStorage(sql: SqlLimit): Promise<StoredTable[]> {
  await sql.run('VACUUM (ANALYZE)');
  const rows = await sql.run(`
    SELECT t.relname AS name, t.n_tup_ins::float8 AS added, t.n_tup_upd::float8 AS changed,
      pg_table_size(t.relid)::float8 AS bytes,
      coalesce(
        (
          SELECT json_object_agg(i.indexrelname, pg_relation_size(i.indexrelid))
          FROM pg_stat_user_indexes i
          WHERE i.relid = t.relid
        ),
        '{}'
      ) AS indexes
    FROM pg_stat_user_tables t
    ORDER BY t.relname`);
  return rows.map(({ name, added, changed, bytes, indexes }) => ({
    name: String(name),
    added: Number(added),
    changed: Number(changed),
    bytes: Number(bytes),
    indexes: new Map(Object.entries(indexes as Record<string, number>)),
  }));
}
