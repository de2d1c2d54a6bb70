import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Role } from '../../kernel/access.ts';

/** An interaction, or evidence to one, that receipts are about, as it is now. */
export interface RecordSubject {
  readonly id: string;
  readonly interactionId: string;
  readonly state: string;
  /** Of the newest act about it. */
  readonly newestReceipt: string | null;
  /** Whom or what it is about, in a word. */
  readonly about: string;
  /** The reader's part in it; null for others. */
  readonly role: Role | null;
}

const select = (db: Queryable, from: Sql, ids: readonly string[], reader: string | null) =>
  db.rows<RecordSubject>(sql`SELECT c.id, i.id AS "interactionId", c.state, c.receipt_id AS "newestReceipt", coalesce('@' || g.handle, s.value) AS about,
      CASE ${reader}::uuid WHEN i.author_id THEN 'owner' WHEN i.subject_id THEN 'member' END AS role
    FROM ${from} JOIN subjects s ON s.id = i.subject_id LEFT JOIN agents g ON g.id = s.agent_id WHERE c.id = ANY(${ids}::uuid[])`);

export const listInteractionSubjects = (
  db: Queryable,
  ids: readonly string[],
  reader: string | null,
) => select(db, sql`records c JOIN interactions i ON i.id = c.id`, ids, reader);

export const listEvidenceSubjects = (
  db: Queryable,
  ids: readonly string[],
  reader: string | null,
) =>
  select(
    db,
    sql`records c JOIN evidence e ON e.id = c.id JOIN interactions i ON i.id = e.about_id`,
    ids,
    reader,
  );
