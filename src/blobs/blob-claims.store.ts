import type { Queryable, Transaction } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';

/** An arbitrary constant: who has this lock exclusively keeps all bytes from being deleted. */
const KEEP_LOCK = 7_303_014_003;

/**
 * Keeps all bytes from being deleted until the session of these statements ends, however it ends.
 * Deletions that are under way are waited for. Uploads and deletions of files go on.
 */
export const keepAll = (session: Queryable): Promise<number> =>
  session.run(sql`SELECT pg_advisory_lock(${KEEP_LOCK})`);

/** Whether bytes may be deleted now; until this transaction ends, nobody can begin to keep them. */
async function mayDelete(tx: Transaction): Promise<boolean> {
  const lock = sql`SELECT pg_try_advisory_xact_lock_shared(${KEEP_LOCK}) AS free`;
  return (await tx.first<{ free: boolean }>(lock))?.free === true;
}

/** SHA-256 of the newest files, each once. */
export const listNewest = async (db: Queryable, limit: number): Promise<string[]> =>
  (
    await db.rows<{ sha256: string }>(sql`
      SELECT DISTINCT encode(sha256, 'hex') AS sha256
      FROM (SELECT sha256 FROM files ORDER BY id DESC LIMIT ${limit}) f
    `)
  ).map(({ sha256 }) => sha256);

/**
 * Claims bytes that an upload is about to store. The garbage collector leaves claimed bytes alone
 * for at least a day.
 */
export const insertClaim = (db: Queryable, sha256: Buffer, size: number, at: string) =>
  db.run(sql`
    INSERT INTO blobs (sha256, size, claims, touched_at)
    VALUES (${sha256}, ${size}, 1, ${at})
    ON CONFLICT (sha256)
    DO UPDATE SET claims = blobs.claims + 1, touched_at = excluded.touched_at
  `);

/** The statement that ends claims, in the transaction that inserts the files that refer to them. */
export const endClaims = (hashes: readonly Buffer[]): Sql =>
  sql`
    UPDATE blobs
    SET claims = greatest(claims - 1, 0), touched_at = NULL
    WHERE sha256 = ANY(${hashes}::bytea[])
  `;

/**
 * Deletes the row of bytes that no file refers to, which stays locked until the commit. Returns
 * whether the caller must delete the bytes themselves before it commits.
 */
async function deleteUnreferenced(tx: Transaction, sha256: Buffer): Promise<boolean> {
  const deleted = await tx.run(sql`
    DELETE FROM blobs b
    WHERE sha256 = ${sha256} AND NOT EXISTS (SELECT 1 FROM files f WHERE f.sha256 = b.sha256)
  `);
  if (deleted === 0)
    tx.send(sql`
      UPDATE blobs
      SET claims = 0, touched_at = NULL
      WHERE sha256 = ${sha256}
    `);
  return deleted > 0;
}

/**
 * Ends the claim of a failed upload. Returns whether it was the last claim and no file refers to
 * the bytes.
 */
export async function releaseClaim(tx: Transaction, sha256: Buffer): Promise<boolean> {
  const row = await tx.first<{ claims: number }>(sql`
    SELECT claims
    FROM blobs
    WHERE sha256 = ${sha256}
    FOR UPDATE
  `);
  if (row && row.claims <= 1 && (await mayDelete(tx))) return deleteUnreferenced(tx, sha256);
  // While a backup keeps the bytes, the row stays touched: the garbage collector looks later.
  tx.send(sql`
    UPDATE blobs
    SET claims = greatest(claims - 1, 0)
    WHERE sha256 = ${sha256}
  `);
  return false;
}

/**
 * Finds one blob that was last touched before a time, and deletes its row if no file refers to it.
 * Undefined when there is none, or a backup keeps all bytes.
 */
export async function collectOne(
  tx: Transaction,
  before: string,
): Promise<{ readonly sha256: Buffer; readonly unreferenced: boolean } | undefined> {
  if (!(await mayDelete(tx))) return undefined;
  const row = await tx.first<{ sha256: Buffer }>(sql`
    SELECT sha256
    FROM blobs
    WHERE touched_at < ${before}
    ORDER BY touched_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED
  `);
  return row && { sha256: row.sha256, unreferenced: await deleteUnreferenced(tx, row.sha256) };
}

/** Marks bytes as touched at `now`, so that they are collected again after the grace period. */
export const postpone = (db: Queryable, sha256: Buffer, now: string): Promise<number> =>
  db.run(
    sql`UPDATE blobs SET touched_at = ${now} WHERE sha256 = ${sha256} AND touched_at < ${now}`,
  );

/**
 * Selects the hash and the size of each content that files refer to, in the order of the hashes.
 */
export const SELECT_STORED = `
  SELECT encode(sha256, 'hex') AS sha256, max(size) AS size
  FROM files
  GROUP BY 1
  ORDER BY encode(sha256, 'hex') COLLATE "C"
`;

/** Counts the contents that files refer to, and their bytes. */
export const countStored = async (db: Queryable): Promise<{ count: number; bytes: number }> =>
  (await db.first<{ count: number; bytes: number }>(sql`
    SELECT count(*) AS count, coalesce(sum(size), 0)::bigint AS bytes
    FROM (SELECT sha256, max(size) AS size FROM files GROUP BY sha256) f
  `)) ?? { count: 0, bytes: 0 };
