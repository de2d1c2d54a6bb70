import type { Queryable } from '../database.ts';
import { lockMigrations, MIGRATION_LOCK } from '../migration-lock.ts';
import { sql } from '../sql.ts';
import type { Session } from './open-session.ts';
import {
  listSequences,
  listTables,
  quoteName,
  type StoredSequence,
  type StoredTable,
} from './stored-tables.store.ts';

/** One backup of a database at a time. An arbitrary constant. */
const BACKUP_LOCK = 7_303_014_002;

/** The tables of one moment. */
export interface Snapshot {
  /** When it was taken, by the clock of the database. */
  readonly takenAt: string;
  readonly tables: readonly (StoredTable & { readonly estimate: number })[];
  /** Read after the snapshot was taken, so no row of it has a greater number. */
  readonly sequences: readonly StoredSequence[];
}

/** Takes the lock that only one backup has, until the session ends. Returns whether it is free. */
export const tryBackupLock = async (db: Queryable): Promise<boolean> =>
  (await db.first<{ free: boolean }>(sql`SELECT pg_try_advisory_lock(${BACKUP_LOCK}) AS free`))
    ?.free === true;

/**
 * Begins a transaction that reads one snapshot, and locks all tables against changes of their
 * schema. Posts go on. No migration can be between snapshot and locks: it could rewrite a table,
 * which the snapshot would then see as empty.
 */
export async function beginSnapshot({ client, db }: Session): Promise<Snapshot> {
  await lockMigrations(client, 'shared');
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  const begun = await db.first<{ takenAt: string }>(sql`SELECT now() AS "takenAt"`);
  const tables = await listTables(db);
  const names = tables.map(({ name }) => quoteName(name)).join(', ');
  await client.query(`LOCK TABLE ${names} IN ACCESS SHARE MODE`);
  await client.query('SELECT pg_advisory_unlock_shared($1)', [MIGRATION_LOCK]);
  return { takenAt: begun?.takenAt ?? '', tables, sequences: await listSequences(db) };
}

/** Builds the statement that copies a table out. */
export const buildCopyOut = ({ name, columns }: StoredTable): string =>
  `COPY ${quoteName(name)} (${columns.map(quoteName).join(', ')}) TO STDOUT`;
