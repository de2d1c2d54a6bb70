import type { Queryable } from '../../db/database.ts';
import { sql, unnestRows } from '../../db/sql.ts';

/** The signature of a receipt, and the thumbprint (RFC 7638) of the key that made it. */
export interface StoredSignature {
  readonly eventId: string;
  readonly kid: string;
  readonly signature: Buffer;
}

/** Lists the stored signatures of these receipts. */
export const listSignatures = (db: Queryable, eventIds: readonly string[]) =>
  db.rows<StoredSignature>(sql`
    SELECT s.event_id AS "eventId", k.kid, s.signature
    FROM portable_signatures s
    JOIN signing_keys k ON k.id = s.key_id
    WHERE s.event_id = ANY(${eventIds}::uuid[])
  `);

/** A signature to insert. */
export interface NewSignature {
  readonly eventId: string;
  readonly keyId: number;
  readonly signature: Buffer;
}

/**
 * Inserts signatures. If a receipt already has one, that one stays. The rows are inserted in the
 * order of their ids, so that two nodes never deadlock.
 */
export const insertSignatures = (db: Queryable, rows: readonly NewSignature[]): Promise<number> =>
  db.run(sql`
    INSERT INTO portable_signatures (event_id, key_id, signature)
    SELECT *
    FROM ${unnestRows(rows, [
      ['uuid', ({ eventId }) => eventId],
      ['int', ({ keyId }) => keyId],
      ['bytea', ({ signature }) => signature],
    ])} AS s (event_id, key_id, signature)
    ORDER BY event_id
    ON CONFLICT
    DO NOTHING
  `);
