import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Role } from '../../kernel/access.ts';

/** The current state of an interaction, or of evidence to one, that receipts are about. */
export interface RecordSubject {
  readonly id: string;
  readonly interactionId: string;
  readonly state: string;
  /** The id of its newest receipt. */
  readonly newestReceipt: string | null;
  /** A short name of the subject: "@handle" for an agent. */
  readonly about: string;
  /** `owner` for the author, `member` for the agent that it is about, null for other readers. */
  readonly role: Role | null;
}

/** Reads the subjects with these ids from joined tables with the aliases `c` and `i`. */
const selectSubjects = (db: Queryable, from: Sql, ids: readonly string[], reader: string | null) =>
  db.rows<RecordSubject>(sql`
    SELECT c.id, i.id AS "interactionId", c.state, c.receipt_id AS "newestReceipt",
      coalesce('@' || g.handle, s.value) AS about,
      CASE ${reader}::uuid WHEN i.author_id THEN 'owner' WHEN i.subject_id THEN 'member' END AS role
    FROM ${from}
    JOIN subjects s ON s.id = i.subject_id
    LEFT JOIN agents g ON g.id = s.agent_id
    WHERE c.id = ANY(${ids}::uuid[])
  `);

/** Lists interactions by id. */
export const listInteractionSubjects = (
  db: Queryable,
  ids: readonly string[],
  reader: string | null,
) => selectSubjects(db, sql`records c JOIN interactions i ON i.id = c.id`, ids, reader);

/** Lists evidence by id. */
export const listEvidenceSubjects = (
  db: Queryable,
  ids: readonly string[],
  reader: string | null,
) =>
  selectSubjects(
    db,
    sql`records c JOIN evidence e ON e.id = c.id JOIN interactions i ON i.id = e.about_id`,
    ids,
    reader,
  );
