import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { currentRevision, stateRevisions } from '../../kernel/records/versioned.store.ts';
import type { EvidenceContent } from './evidence.rules.ts';
import type { Evidence } from './evidence.schemas.ts';
import type { Interaction } from './rules.ts';
import { accessColumns } from './store.ts';
import type { EvidenceState } from './transitions.ts';

/** A piece of evidence to insert. */
export interface NewEvidence {
  readonly id: string;
  readonly aboutId: string;
  readonly submittedBy: string;
  readonly createdAt: string;
}

/** Inserts a piece of evidence; `versions.create` inserts its first version. */
export const insertEvidence = (tx: Transaction, evidence: NewEvidence): void =>
  tx.send(sql`
    INSERT INTO evidence (id, about_id, submitted_by, created_at)
    VALUES (
      ${evidence.id}, ${evidence.aboutId}, ${evidence.submittedBy}, ${evidence.createdAt}
    )
  `);

/** Lists the evidence of an interaction or another record, oldest first. */
export const listEvidence = (db: Queryable, aboutId: string) =>
  db.rows<Evidence>(sql`
    SELECT e.id, e.about_id AS "interactionId", c.version, c.state, v.content->>'kind' AS kind,
      v.content->>'url' AS url, v.content->>'messageId' AS "messageId",
      v.content->>'fileId' AS "fileId", v.content->>'receiptId' AS "receiptId",
      v.content->>'text' AS text, v.content->>'sha256' AS sha256, v.content->>'note' AS note,
      e.submitted_by AS "submittedBy", a.handle AS "submittedByHandle", e.created_at AS "createdAt",
      c.updated_at AS "updatedAt", ${stateRevisions(sql`e`)} AS revisions
    FROM evidence e ${currentRevision(sql`e`)}
    JOIN agents a ON a.id = e.submitted_by
    WHERE e.about_id = ${aboutId}
    ORDER BY e.id
  `);

/** Lists the versioned contents of a record's evidence, oldest first, for a case to freeze. */
export const listEvidenceContents = (db: Queryable, aboutId: string) =>
  db.rows<{
    id: string;
    version: number;
    state: EvidenceState;
    content: EvidenceContent;
    submittedBy: string;
  }>(sql`
    SELECT e.id, c.version, c.state, v.content, e.submitted_by AS "submittedBy"
    FROM evidence e ${currentRevision(sql`e`)}
    WHERE e.about_id = ${aboutId}
    ORDER BY e.id
  `);

/** Counts the evidence that an agent submitted to a record, including withdrawn pieces. */
export const countEvidence = async (
  db: Queryable,
  aboutId: string,
  submittedBy: string,
): Promise<number> =>
  (
    await db.first<{ count: number }>(sql`
      SELECT count(*) AS count
      FROM evidence
      WHERE about_id = ${aboutId} AND submitted_by = ${submittedBy}
    `)
  )?.count ?? 0;

/** Finds a piece of evidence with the facts that decide who may read its interaction. */
export const loadEvidence = (db: Queryable, id: string) =>
  db.first<
    Pick<Interaction, 'visibility' | 'authorId' | 'subjectId'> & {
      readonly aboutId: string;
      readonly submittedBy: string;
      readonly version: number;
      readonly state: EvidenceState;
      readonly content: EvidenceContent;
    }
  >(sql`
    SELECT ${accessColumns}, e.about_id AS "aboutId", e.submitted_by AS "submittedBy", c.version,
      c.state, v.content
    FROM evidence e ${currentRevision(sql`e`)}
    JOIN interactions i ON i.id = e.about_id
    WHERE e.id = ${id}
  `);
