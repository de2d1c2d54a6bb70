import type { Connection } from '../../db/connection.ts';
import type { Session } from '../../db/copy/open-session.ts';
import { listRelations, RESTORE_TABLE } from '../../db/copy/stored-tables.store.ts';
import { openDatabase, type Queryable } from '../../db/database.ts';
import { raw, sql } from '../../db/sql.ts';

/** An arbitrary constant. One restore into a database at a time. */
const RESTORE_LOCK = 7_303_014_004;

/** How far a restore has come. */
export interface RestoreState {
  /** The moment that the backup shows, by which it is recognized. */
  readonly takenAt: string;
  /** Whether all rows are loaded. */
  readonly loaded: boolean;
}

/** Takes the lock that only one restore has, until the session ends. Returns whether it is free. */
export const tryRestoreLock = async (db: Queryable): Promise<boolean> =>
  (await db.first<{ free: boolean }>(sql`SELECT pg_try_advisory_lock(${RESTORE_LOCK}) AS free`))
    ?.free === true;

/**
 * Finds the restore that was not completed in a database. Returns null when the database has no
 * table at all, and undefined when it has others.
 */
export async function findRestore(db: Queryable): Promise<RestoreState | null | undefined> {
  const relations = await listRelations(db);
  if (relations.length === 0) return null;
  if (!relations.includes(RESTORE_TABLE)) return undefined;
  const state = await db.first<RestoreState>(sql`
    SELECT taken_at AS "takenAt", loaded
    FROM ${raw(RESTORE_TABLE)}
  `);
  // The mark is made in one transaction with its row.
  return state ?? undefined;
}

/** Marks an empty database as being restored. */
export const markRestore = ({ client }: Session, takenAt: string) =>
  client.query(
    `CREATE TABLE ${RESTORE_TABLE} (taken_at, loaded)
     AS SELECT ${client.escapeLiteral(takenAt)}::text, false`,
  );

/** Notes that all rows are loaded, in the transaction that loads them. */
export const markLoaded = ({ client }: Session) =>
  client.query(`UPDATE ${RESTORE_TABLE} SET loaded = true`);

/** Removes the mark: the restore is complete. */
export const removeRestoreMark = ({ client }: Session) =>
  client.query(`DROP TABLE ${RESTORE_TABLE}`);

/** Whether a database has a restore that was not completed; false when it does not answer. */
export async function isRestoring(connection: Connection): Promise<boolean> {
  const db = openDatabase(connection, { connections: 1 });
  try {
    const found = await db.first<{ marked: boolean }>(
      sql`SELECT to_regclass(${RESTORE_TABLE}) IS NOT NULL AS marked`,
    );
    return found?.marked === true;
  } catch {
    return false;
  } finally {
    await db[Symbol.asyncDispose]();
  }
}
