import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { StoredRecord } from './callers.store.ts';

/** Rows deleted by one statement. */
const SLICE = 10_000;

/** Who, doing what, under which key: the identity of a repeatable call. */
export interface RecordKey {
  readonly scope: string;
  readonly operation: string;
  readonly key: string;
}

export const findRecord = (db: Queryable, { scope, operation, key }: RecordKey) =>
  db.first<StoredRecord>(sql`SELECT fingerprint, sealed_for AS "sealedFor", response, created_at AS "recordedAt"
    FROM idempotency_records WHERE scope = ${scope} AND operation = ${operation} AND key = ${key}`);

/** Forgets some of the records made before `before`; whether there may be more. */
export const deleteRecordsBefore = async (db: Queryable, before: string): Promise<boolean> =>
  (await db.run(
    sql`DELETE FROM idempotency_records WHERE ctid = ANY(ARRAY(SELECT ctid FROM idempotency_records WHERE created_at < ${before} LIMIT ${SLICE}))`,
  )) === SLICE;
