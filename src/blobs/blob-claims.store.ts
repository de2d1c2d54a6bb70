import type { Queryable, Transaction } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';

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
  if (row && row.claims <= 1) return deleteUnreferenced(tx, sha256);
  tx.send(sql`
    UPDATE blobs
    SET claims = claims - 1
    WHERE sha256 = ${sha256}
  `);
  return false;
}

/**
 * Finds one blob that was last touched before a time, and deletes its row if no file refers to it.
 * Undefined when there is none.
 */
export async function collectOne(
  tx: Transaction,
  before: string,
): Promise<{ readonly sha256: Buffer; readonly unreferenced: boolean } | undefined> {
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
