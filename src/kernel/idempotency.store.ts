import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { StoredRecord } from './callers.store.ts';

/** Who, doing what, under which key: the identity of a repeatable call. */
export interface RecordKey {
  readonly scope: string;
  readonly operation: string;
  readonly key: string;
}

export const findRecord = (db: Queryable, { scope, operation, key }: RecordKey) =>
  db.first<StoredRecord>(sql`SELECT fingerprint, sealed_for AS "sealedFor", response, created_at AS "recordedAt"
    FROM idempotency_records WHERE scope = ${scope} AND operation = ${operation} AND key = ${key}`);

/** Forgets records made before `before`; returns how many. */
export const deleteRecordsBefore = (db: Queryable, before: string) => db.run(sql`DELETE FROM idempotency_records WHERE created_at < ${before}`);
