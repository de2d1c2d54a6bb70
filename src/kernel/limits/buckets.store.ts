import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** A bucket of tokens in the database, which all nodes share. */
export interface Bucket {
  readonly name: string;
  readonly capacity: number;
  /** How many tokens flow in each second, up to the capacity; 0 for a bucket of a single day. */
  readonly perSecond: number;
  /** How many tokens a process leases at once. */
  readonly lot: number;
}

/**
 * Takes a lot of tokens from a bucket that all nodes share, or what is left of it: at least `need`,
 * which is at most the capacity, or none. The bucket refills continuously. This is one statement,
 * so two nodes can never take the same token.
 */
export const takeTokens = (
  db: Queryable,
  { name, capacity, perSecond, lot }: Bucket,
  need: number,
  now: string,
) => {
  const want = Math.min(capacity, Math.max(lot, need));
  const refilled = sql`
    least(
      ${capacity}::float8,
      b.tokens + greatest(
        0, extract(epoch FROM ${now}::timestamptz - b.refilled_at)
      ) * ${perSecond}::float8
    )
  `;
  const granted = sql`
    CASE
      WHEN ${refilled} + 1e-6 >= ${need}::float8
      THEN least(${want}::float8, floor(${refilled} + 1e-6))
      ELSE 0
    END
  `;
  return db.first<{ granted: number; tokens: number }>(sql`
    INSERT INTO rate_buckets AS b (name, tokens, granted, refilled_at)
    VALUES (${name}, ${capacity}::float8 - ${want}::float8, ${want}::float8, ${now})
    ON CONFLICT (name)
    DO UPDATE SET granted = ${granted},
      tokens = ${refilled} - ${granted},
      refilled_at = greatest(b.refilled_at, ${now})
    RETURNING granted, tokens
  `);
};

/** The number of rows that one statement deletes. */
const ROWS_PER_DELETE = 10_000;

/**
 * Deletes some of the buckets that were not used since `before`, which are full again. Returns
 * whether there may be more.
 */
export const deleteIdleBuckets = async (db: Queryable, before: string): Promise<boolean> =>
  (await db.run(sql`
    DELETE FROM rate_buckets
    WHERE ctid = ANY(
      ARRAY(SELECT ctid FROM rate_buckets WHERE refilled_at < ${before} LIMIT ${ROWS_PER_DELETE})
    )
  `)) === ROWS_PER_DELETE;
