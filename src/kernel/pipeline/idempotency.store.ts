import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { RecordKey, StoredRecord } from '../callers/callers.store.ts';

/** Rows deleted by one statement. */
const ROWS_PER_DELETE = 10_000;

export const findRecord = (db: Queryable, { scope, operation, key }: RecordKey) =>
  db.first<StoredRecord>(sql`
    SELECT fingerprint, sealed_for AS "sealedFor", response, created_at AS "recordedAt"
    FROM idempotency_records
    WHERE scope = ${scope} AND operation = ${operation} AND key = ${key}
  `);

/** Forgets some of the records made before `before`; whether there may be more. */
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
 * A call that waits for somebody outside holds its key until then: seconds more than it may take.
 */
export interface KeyClaim extends RecordKey {
  readonly holder: string;
  readonly now: string;
  readonly until: string;
}

/** Whether the key is ours now. Waits for whoever is just giving it back. */
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

/** The statement that gives a key back, unless another call took it over. */
export const deleteClaim = ({ scope, operation, key, holder }: Omit<KeyClaim, 'now' | 'until'>) =>
  sql`
    DELETE FROM idempotency_claims
    WHERE scope = ${scope} AND operation = ${operation} AND key = ${key} AND holder = ${holder}
  `;

/** Claims that nobody gave back: their process died. */
export const deleteClaimsBefore = (db: Queryable, before: string): Promise<number> =>
  db.run(sql`DELETE FROM idempotency_claims WHERE until < ${before}`);
