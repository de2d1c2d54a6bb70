import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/**
 * Takes up to `want` tokens from a bucket that all nodes share. The bucket refills continuously, up
 * to `capacity`. This is one statement, so two nodes can never take the same token.
 */
export const takeTokens = (
  db: Queryable,
  name: string,
  capacity: number,
  perSecond: number,
  want: number,
  now: string,
) => {
  const refilled = sql`
    least(
      ${capacity}::float8,
      b.tokens + greatest(
        0, extract(epoch FROM ${now}::timestamptz - b.refilled_at)
      ) * ${perSecond}::float8
    )
  `;
  return db.first<{ granted: number; tokens: number }>(sql`
    INSERT INTO rate_buckets AS b (name, tokens, granted, refilled_at)
    VALUES (${name}, ${capacity}::float8 - ${want}::float8, ${want}::float8, ${now})
    ON CONFLICT (name)
    DO UPDATE SET granted = least(${want}::float8, floor(${refilled} + 1e-6)),
      tokens = ${refilled} - least(${want}::float8, floor(${refilled} + 1e-6)),
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
