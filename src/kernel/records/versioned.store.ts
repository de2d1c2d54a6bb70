import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { failVersionConflict, type VersionedRecord } from './versioned.ts';

/**
 * The fields of one version of a record. Records with versions are created and changed only by this
 * store. Every version is kept for ever, with its author and its time.
 */
interface RevisionFields<Content> {
  readonly id: string;
  readonly authorId: string;
  readonly state: string;
  readonly content: Content;
  /** The id of the receipt for this version; null where such changes have no receipts. */
  readonly receiptId: string | null;
  readonly now: string;
}

export interface NewRecord<Content extends object> extends RevisionFields<Content> {
  /** The type of the record, such as "interaction". */
  readonly type: string;
}

/** Creates a record with its first version. */
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
   * The change is about something that belongs to the record, not about the record itself, so the
   * record keeps its own receipt.
   */
  readonly keepsReceipt?: true;
}

/**
 * Adds a version if the record still has the expected one. The comparison and the change are one
 * statement, so of two concurrent changes on any nodes exactly one succeeds. Returns the record as
 * it is now.
 * Errors: `version_conflict` with `currentVersion`.
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

/** Locks a record, which must exist, until the commit, and returns its current version. */
export async function lock<State, Content>(tx: Transaction, id: string) {
  // The lock is a statement of its own. A single statement that had to wait for the lock would look
  // for the new version in its old snapshot.
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

/**
 * Builds a join from an alias with an `id` to its record as `c` and the newest version of that as
 * `v`.
 */
export const currentRevision = (alias: Sql): Sql =>
  sql`
    JOIN records c ON c.id = ${alias}.id
    JOIN record_revisions v ON v.record_id = c.id AND v.version = c.version
  `;

/**
 * All versions of the record with the id of `alias`, oldest first and without their contents, as a
 * JSON array.
 */
export const stateRevisions = (alias: Sql): Sql => sql`
  (
    SELECT json_agg(json_build_object(
      'version', h.version, 'state', h.state, 'authorId', h.author_id, 'authorHandle', b.handle,
      'at', to_char(h.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'receiptId', h.receipt_id
    ) ORDER BY h.version)
    FROM record_revisions h
    JOIN agents b ON b.id = h.author_id
    WHERE h.record_id = ${alias}.id
  )
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

/**
 * Loads all versions of some records. Returns a function from a record's id to its versions, oldest
 * first.
 */
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
  const byRecord = new Map<string, StoredRevision<Content, State>[]>(ids.map((id) => [id, []]));
  for (const { recordId, ...revision } of rows) byRecord.get(recordId)?.push(revision);
  return (id) => byRecord.get(id) ?? [];
}

/** Measures the contents of all versions of some records, in bytes. */
export const measureRevisions = async (
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> =>
  new Map(
    (
      await db.rows<{ readonly recordId: string; readonly bytes: number }>(sql`
        SELECT v.record_id AS "recordId", sum(octet_length(v.content::text)) AS bytes
        FROM record_revisions v
        WHERE v.record_id = ANY(${ids}::uuid[])
        GROUP BY v.record_id
      `)
    ).map(({ recordId, bytes }) => [recordId, Number(bytes)]),
  );
