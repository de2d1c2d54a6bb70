import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { currentRevision, loadRevisions } from '../../kernel/records/versioned.store.ts';
import type { ClaimContent, ClaimKind } from './rules.ts';
import type { IdentityClaim } from './schemas.ts';
import type { ClaimState } from './transitions.ts';

const columns = sql`
  q.id, q.subject_id AS "subjectId", c.version, c.state, q.claim, v.content->>'value' AS value,
  v.content->>'evidenceUrl' AS "evidenceUrl", v.content->>'note' AS note,
  'self-declared by @' || a.handle AS "declaredBy", q.author_id AS "authorId",
  a.handle AS "authorHandle", q.author_id = q.subject_id AS "bySubject",
  q.created_at AS "createdAt", c.updated_at AS "updatedAt", c.receipt_id AS "receiptId"
`;

/** A claim without its versions. */
export type ClaimRow = Omit<IdentityClaim, 'revisions'>;

/** Reads the claims of a table expression, newest first, without their versions. */
export const selectRows = (db: Queryable, from: Sql): Promise<ClaimRow[]> =>
  db.rows<ClaimRow>(sql`
    SELECT ${columns}
    FROM ${from} q ${currentRevision(sql`q`)}
    JOIN agents a ON a.id = q.author_id
    ORDER BY q.created_at DESC, q.id DESC
  `);

/** Adds to each claim its versions. */
export async function addRevisions(
  db: Queryable,
  rows: readonly ClaimRow[],
): Promise<IdentityClaim[]> {
  if (rows.length === 0) return [];
  const listRevisions = await loadRevisions<ClaimContent, ClaimState>(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...row, revisions: listRevisions(row.id) }));
}

/** Finds a claim with its versions. */
export const find = async (db: Queryable, id: string): Promise<IdentityClaim | undefined> =>
  (
    await addRevisions(
      db,
      await selectRows(db, sql`(SELECT * FROM identity_claims WHERE id = ${id})`),
    )
  )[0];

/** The facts that decide whether a claim may be changed. */
export interface ClaimFacts {
  readonly authorId: string;
  /** The id of the agent that the claim is about, or null if it is about something else. */
  readonly agentId: string | null;
  readonly version: number;
  readonly state: ClaimState;
  readonly content: ClaimContent;
}

/** Finds the facts that decide whether a claim may be changed. */
export const findFacts = (db: Queryable, id: string) =>
  db.first<ClaimFacts>(sql`
    SELECT q.author_id AS "authorId", s.agent_id AS "agentId", c.version, c.state, v.content
    FROM identity_claims q ${currentRevision(sql`q`)}
    JOIN subjects s ON s.id = q.subject_id
    WHERE q.id = ${id}
  `);

/** Counts the claims of an author about a subject, without withdrawn ones. */
export const countActive = async (
  db: Queryable,
  subjectId: string,
  authorId: string,
): Promise<number> =>
  (
    await db.first<{ count: number }>(sql`
      SELECT count(*) AS count
      FROM identity_claims q
      JOIN records c ON c.id = q.id
      WHERE q.author_id = ${authorId} AND q.subject_id = ${subjectId} AND c.state = 'declared'
    `)
  )?.count ?? 0;

/** A claim to insert. */
export interface NewClaim {
  readonly id: string;
  readonly subjectId: string;
  readonly authorId: string;
  readonly claim: ClaimKind;
  readonly createdAt: string;
}

/** Inserts a claim; `versions.create` inserts its first version. */
export const insert = (tx: Transaction, claim: NewClaim): void =>
  tx.send(sql`
    INSERT INTO identity_claims (id, subject_id, author_id, claim, created_at)
    VALUES (${claim.id}, ${claim.subjectId}, ${claim.authorId}, ${claim.claim}, ${claim.createdAt})
  `);
