import type { Queryable } from '../database.ts';
import { sql } from '../sql.ts';

/** Marks a database that a restore has not completed. It has one row. */
export const RESTORE_TABLE = 'unfinished_restore';

/** A table whose rows a backup has. */
export interface StoredTable {
  readonly name: string;
  /** The columns that are stored as given; PostgreSQL computes the others. */
  readonly columns: readonly string[];
}

/** A sequence and the last number that it gave; null if it gave none. */
export interface StoredSequence {
  readonly name: string;
  readonly last: string | null;
}

/** Quotes an identifier (PostgreSQL, 4.1.1). */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Lists the tables that hold data, by name. Unlogged ones are left out, because a crash empties
 * them too, and so is the list of migrations, which the migrations write themselves.
 */
export const listTables = (db: Queryable): Promise<(StoredTable & { estimate: number })[]> =>
  db.rows(sql`
    SELECT c.relname AS name, greatest(c.reltuples, s.n_live_tup, 0)::bigint AS estimate,
      ARRAY(
        SELECT a.attname::text
        FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        ORDER BY a.attnum
      ) AS columns
    FROM pg_class c
    LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relpersistence = 'p'
      AND c.relname NOT IN ('migrations', ${RESTORE_TABLE})
    ORDER BY c.relname
  `);

/** Lists all sequences, by name. Their numbers are those of now, not those of a snapshot. */
export const listSequences = (db: Queryable): Promise<StoredSequence[]> =>
  db.rows(sql`
    SELECT sequencename AS name, last_value::text AS last
    FROM pg_sequences
    WHERE schemaname = 'public'
    ORDER BY sequencename
  `);

/** Lists the names of all tables and other relations of a database. */
export const listRelations = async (db: Queryable): Promise<string[]> =>
  (
    await db.rows<{ name: string }>(sql`
      SELECT relname AS name
      FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
      ORDER BY relname
    `)
  ).map(({ name }) => name);
