import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/**
 * Takes up to `want` tokens out of a bucket that all nodes share, refilled continuously, never
 * above `capacity`. One statement, so that two nodes can never take the same token.
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

/** Rows deleted by one statement. */
const ROWS_PER_DELETE = 10_000;

/**
 * Forgets some of the buckets that are full again because nobody used them since `before`; whether
 * there may be more.
 */
export const deleteIdleBuckets = async (db: Queryable, before: string): Promise<boolean> =>
  (await db.run(sql`
    DELETE FROM rate_buckets
    WHERE ctid = ANY(
      ARRAY(SELECT ctid FROM rate_buckets WHERE refilled_at < ${before} LIMIT ${ROWS_PER_DELETE})
    )
  `)) === ROWS_PER_DELETE;
