import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { GuestEntry } from './guest-entry.rules.ts';
import type { GuestContextValue } from './schemas.ts';

/** An entry to write. `value` is in RFC 8785 form. */
export interface NewGuestEntry extends Omit<GuestEntry, 'bytes'> {
  readonly value: string;
  readonly updatedAt: string;
}

/** Inserts an entry, or replaces the entry with its key. */
export const upsertEntry = (tx: Transaction, contextId: string, entry: NewGuestEntry): void =>
  tx.send(sql`
    INSERT INTO guest_entries (context_id, key, value, version, created_at, updated_at, expires_at)
    VALUES (
      ${contextId}, ${entry.key}, ${entry.value}, ${entry.version}, ${entry.createdAt},
      ${entry.updatedAt}, ${entry.expiresAt}
    )
    ON CONFLICT (context_id, key)
    DO UPDATE SET value = EXCLUDED.value, version = EXCLUDED.version,
      created_at = EXCLUDED.created_at, updated_at = EXCLUDED.updated_at,
      expires_at = EXCLUDED.expires_at
  `);

/** Deletes an entry. */
export const deleteEntry = (tx: Transaction, contextId: string, key: string): void =>
  tx.send(sql`DELETE FROM guest_entries WHERE context_id = ${contextId} AND key = ${key}`);

/** Finds an entry that has not expired. */
export const find = (db: Queryable, keySha256: Buffer, key: string, now: string) =>
  db.first<GuestContextValue>(sql`
    SELECT e.key, e.value::json AS value, e.version, e.created_at AS "createdAt",
      e.updated_at AS "updatedAt", e.expires_at AS "expiresAt"
    FROM guest_contexts c
    JOIN guest_entries e ON e.context_id = c.id
    WHERE c.key_sha256 = ${keySha256} AND e.key = ${key} AND e.expires_at > ${now}
  `);
