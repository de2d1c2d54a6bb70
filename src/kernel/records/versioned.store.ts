import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { failVersionConflict, type VersionedRecord } from './versioned.ts';

/**
 * The one way in which records with versions are made and changed. What a version says is kept for
 * ever, with who said it and when.
 */
interface RevisionFields<Content> {
  readonly id: string;
  readonly authorId: string;
  readonly state: string;
  readonly content: Content;
  /** Of the act that made this version; null where acts have no receipts. */
  readonly receiptId: string | null;
  readonly now: string;
}

export interface NewRecord<Content extends object> extends RevisionFields<Content> {
  /** What kind of record it is: "interaction". */
  readonly type: string;
}

/** Makes a record in its first version. */
export function create<Content extends object>(
  tx: Transaction,
  { id, type, state, authorId, content, receiptId, now }: NewRecord<Content>,
): void {
  tx.send(sql`
    WITH made AS (
      INSERT INTO records (id, type, version, state, author_id, receipt_id, created_at, updated_at)
      VALUES (${id}, ${type}, 1, ${state}, ${authorId}, ${receiptId}, ${now}, ${now})
    )
    INSERT INTO record_revisions (record_id, version, author_id, state, content, receipt_id, at)
    VALUES (${id}, 1, ${authorId}, ${state}, ${JSON.stringify(content)}, ${receiptId}, ${now})
  `);
}

export interface NewRevision<Content extends object> extends RevisionFields<Content> {
  readonly expectedVersion: number;
  /**
   * The act is about something that belongs to the record, not about the record itself: the record
   * keeps its own receipt.
   */
  readonly keepsReceipt?: true;
}

/**
 * Adds a version, if the record still has the expected one. The comparison and the change are one
 * statement: of two at the same moment, on any nodes, exactly one finds its version. Returns the
 * record as it is now. Errors: `version_conflict` with `currentVersion`.
 */
export async function revise<Content extends object>(
  tx: Transaction,
  change: NewRevision<Content>,
): Promise<VersionedRecord> {
  const {
    id,
    authorId,
    state,
    content,
    receiptId,
    now,
    expectedVersion,
    keepsReceipt = false,
  } = change;
  const changed = await tx.first<VersionedRecord>(sql`
    WITH changed AS (
      UPDATE records
      SET version = version + 1, state = ${state},
        updated_at = greatest(updated_at, ${now}::timestamptz),
        receipt_id = CASE WHEN ${keepsReceipt}::bool THEN receipt_id ELSE ${receiptId}::uuid END
      WHERE id = ${id} AND version = ${expectedVersion}
      RETURNING id, version, state, updated_at
    ),
      said AS (
        INSERT INTO record_revisions (record_id, version, author_id, state, content, receipt_id, at)
        SELECT id, version, ${authorId}::uuid, state, ${JSON.stringify(content)}::jsonb,
          ${receiptId}::uuid, ${now}::timestamptz
        FROM changed
      )
    SELECT id, version, state, updated_at AS "updatedAt", ${receiptId}::uuid AS "receiptId"
    FROM changed
  `);
  if (changed) return changed;
  const current = await tx.first<{ version: number }>(
    sql`SELECT version FROM records WHERE id = ${id}`,
  );
  throw failVersionConflict(current?.version ?? 0);
}

/** A record as it is now, held until the commit. It is known to be there. */
export async function lock<State, Content>(tx: Transaction, id: string) {
  // By itself: a statement that had to wait would look for the new version among the revisions that
  // it saw before.
  tx.send(sql`
    SELECT 1
    FROM records
    WHERE id = ${id}
    FOR NO KEY UPDATE
  `);
  return (await tx.first(sql`
    SELECT c.version, c.state, v.content
    FROM records c
    JOIN record_revisions v ON v.record_id = c.id AND v.version = c.version
    WHERE c.id = ${id}
  `)) as {
    readonly version: number;
    readonly state: State;
    readonly content: Content;
  };
}

/** Joins, to an alias with an `id`, its record as `c` and what its newest version says as `v`. */
export const currentRevision = (alias: Sql): Sql =>
  sql`
    JOIN records c ON c.id = ${alias}.id
    JOIN record_revisions v ON v.record_id = c.id AND v.version = c.version
  `;

export interface StoredRevision<Content, State = string> {
  readonly version: number;
  readonly state: State;
  readonly authorId: string;
  readonly authorHandle: string;
  readonly at: string;
  readonly receiptId: string | null;
  readonly content: Content;
}

/** All versions of records, the first one first, by the record's id. */
export async function loadRevisions<Content, State = string>(
  db: Queryable,
  ids: readonly string[],
): Promise<(id: string) => StoredRevision<Content, State>[]> {
  const rows = await db.rows<StoredRevision<Content, State> & { readonly recordId: string }>(sql`
    SELECT v.record_id AS "recordId", v.version, v.state, v.author_id AS "authorId",
      a.handle AS "authorHandle", v.at, v.receipt_id AS "receiptId", v.content
    FROM record_revisions v
    JOIN agents a ON a.id = v.author_id
    WHERE v.record_id = ANY(${ids}::uuid[])
    ORDER BY v.record_id, v.version
  `);
  return (id) =>
    rows.filter(({ recordId }) => recordId === id).map(({ recordId: _, ...revision }) => revision);
}
