import type { Queryable, Transaction } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';

/** SHA-256 of the newest files, each once. */
export const newest = async (db: Queryable, limit: number): Promise<string[]> =>
  (
    await db.rows<{ sha256: string }>(
      sql`SELECT DISTINCT encode(sha256, 'hex') AS sha256 FROM (SELECT sha256 FROM files ORDER BY id DESC LIMIT ${limit}) f`,
    )
  ).map(({ sha256 }) => sha256);

/** Says that an upload is about to store bytes: until it keeps or releases them nobody takes them away, for a day at least. */
export const claim = (db: Queryable, sha256: Buffer, size: number, at: string) =>
  db.run(sql`INSERT INTO blobs (sha256, size, claims, touched_at) VALUES (${sha256}, ${size}, 1, ${at})
    ON CONFLICT (sha256) DO UPDATE SET claims = blobs.claims + 1, touched_at = excluded.touched_at`);

/** The statement that ends claims in the transaction which adds what refers to the bytes. */
export const keep = (hashes: readonly Buffer[]): Sql =>
  sql`UPDATE blobs SET claims = greatest(claims - 1, 0), touched_at = NULL WHERE sha256 = ANY(${hashes}::bytea[])`;

/** Forgets bytes that nothing refers to, holding their row until the commit: whether the bytes themselves are to be deleted before it. */
async function forget(tx: Transaction, sha256: Buffer): Promise<boolean> {
  const deleted = await tx.run(
    sql`DELETE FROM blobs b WHERE sha256 = ${sha256} AND NOT EXISTS (SELECT 1 FROM files f WHERE f.sha256 = b.sha256)`,
  );
  if (deleted === 0)
    tx.send(sql`UPDATE blobs SET claims = 0, touched_at = NULL WHERE sha256 = ${sha256}`);
  return deleted > 0;
}

/** Ends the claim of an upload that failed: whether it was the last one and nothing refers to the bytes. */
export async function release(tx: Transaction, sha256: Buffer): Promise<boolean> {
  const row = await tx.first<{ claims: number }>(
    sql`SELECT claims FROM blobs WHERE sha256 = ${sha256} FOR UPDATE`,
  );
  if (row && row.claims <= 1) return forget(tx, sha256);
  tx.send(sql`UPDATE blobs SET claims = claims - 1 WHERE sha256 = ${sha256}`);
  return false;
}

/** Looks at one of the bytes that were touched before a time: whose they are, and whether nothing refers to them. Undefined when there are none. */
export async function collect(
  tx: Transaction,
  before: string,
): Promise<{ readonly sha256: Buffer; readonly unreferenced: boolean } | undefined> {
  const row = await tx.first<{ sha256: Buffer }>(
    sql`SELECT sha256 FROM blobs WHERE touched_at < ${before} ORDER BY touched_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
  );
  return row && { sha256: row.sha256, unreferenced: await forget(tx, row.sha256) };
}
