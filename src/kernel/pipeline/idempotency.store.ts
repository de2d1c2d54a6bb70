import type { Queryable, Transaction } from '../../db/database.ts';
import { isUniqueViolation } from '../../db/database-errors.ts';
import { sql, unnestRows } from '../../db/sql.ts';
import type { RecordKey, StoredRecord } from '../callers/callers.store.ts';

/** The number of rows that one statement deletes. */
const ROWS_PER_DELETE = 10_000;

export const findRecord = (db: Queryable, { scope, operation, key }: RecordKey) =>
  db.first<StoredRecord>(sql`
    SELECT fingerprint, sealed_for AS "sealedFor", response, created_at AS "recordedAt"
    FROM idempotency_records
    WHERE scope = ${scope} AND operation = ${operation} AND key = ${key}
  `);

/** Finds which of these idempotency records are stored, by their places in the list from 0. */
export async function listStoredRecords(
  db: Queryable,
  records: readonly RecordKey[],
): Promise<ReadonlySet<number>> {
  const rows = await db.rows<{ place: number }>(sql`
    SELECT q.nr::int - 1 AS place
    FROM ${unnestRows(records, [
      ['text', ({ scope }) => scope],
      ['text', ({ operation }) => operation],
      ['text', ({ key }) => key],
    ])} WITH ORDINALITY AS q (scope, operation, key, nr)
    CROSS JOIN LATERAL (
      SELECT
      FROM idempotency_records i
      WHERE i.scope = q.scope AND i.operation = q.operation AND i.key = q.key
      LIMIT 1
    ) i
  `);
  return new Set(rows.map(({ place }) => place));
}

/** Whether an error says that another call has stored a record with the same key. */
export const isRecordConflict = (error: unknown): boolean =>
  isUniqueViolation(error, 'idempotency_records_pkey');

/** Deletes the record of one key if it is older than `before`. */
export const deleteRecordBefore = (
  db: Queryable,
  { scope, operation, key }: RecordKey,
  before: string,
): Promise<number> =>
  db.run(sql`
    DELETE FROM idempotency_records
    WHERE scope = ${scope} AND operation = ${operation} AND key = ${key} AND created_at < ${before}
  `);

/** Deletes some of the records that are older than `before`. Returns whether there may be more. */
export const deleteRecordsBefore = async (db: Queryable, before: string): Promise<boolean> =>
  (await db.run(sql`
    DELETE FROM idempotency_records
    WHERE ctid = ANY(
      ARRAY(
        SELECT ctid
        FROM idempotency_records
        WHERE created_at < ${before}
        LIMIT ${ROWS_PER_DELETE}
      )
    )
  `)) === ROWS_PER_DELETE;

/**
 * The claim of an idempotency key while its call waits for an external system. It lasts a few
 * seconds longer than the call can take.
 */
export interface KeyClaim extends RecordKey {
  readonly holder: string;
  readonly now: string;
  readonly until: string;
}

/**
 * Claims a key and returns whether that succeeded. Waits for a transaction that is just releasing
 * the key.
 */
export const insertClaim = async (
  tx: Transaction,
  { scope, operation, key, holder, now, until }: KeyClaim,
): Promise<boolean> =>
  (await tx.run(sql`
    INSERT INTO idempotency_claims AS c (scope, operation, key, holder, until)
    VALUES (${scope}, ${operation}, ${key}, ${holder}, ${until})
    ON CONFLICT (scope, operation, key)
    DO UPDATE SET holder = excluded.holder, until = excluded.until
    WHERE c.until <= ${now}
  `)) > 0;

/** Builds the statement that releases a key, unless another call has taken it over. */
export const deleteClaim = ({ scope, operation, key, holder }: Omit<KeyClaim, 'now' | 'until'>) =>
  sql`
    DELETE FROM idempotency_claims
    WHERE scope = ${scope} AND operation = ${operation} AND key = ${key} AND holder = ${holder}
  `;

/** Deletes expired claims, which remain when a process dies, and returns their number. */
export const deleteClaimsBefore = (db: Queryable, before: string): Promise<number> =>
  db.run(sql`DELETE FROM idempotency_claims WHERE until < ${before}`);
