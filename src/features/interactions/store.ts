import type { Queryable, Transaction } from '../../db/database.ts';
import { join, type Sql, sql } from '../../db/sql.ts';
import { readableInteraction, type Visibility } from '../../kernel/access.ts';
import { current, revisionsOf } from '../../kernel/records/versioned.store.ts';
import type { EvidenceContent, Interaction, InteractionContent, InteractionKind } from './rules.ts';
import type { Evidence, InteractionRow } from './schemas.ts';
import type { EvidenceState, InteractionState } from './transitions.ts';

export interface NewInteraction {
  readonly id: string;
  readonly subjectId: string;
  readonly authorId: string;
  readonly kind: InteractionKind;
  readonly context: string;
  readonly visibility: Visibility;
  readonly createdAt: string;
}

export const insert = (tx: Transaction, i: NewInteraction): void =>
  tx.send(sql`INSERT INTO interactions (id, subject_id, author_id, kind, context, visibility, created_at)
    VALUES (${i.id}, ${i.subjectId}, ${i.authorId}, ${i.kind}, ${i.context}, ${i.visibility}, ${i.createdAt})`);

const facts = sql`i.visibility, i.author_id AS "authorId", i.subject_id AS "subjectId"`;

/** An interaction with what decides about it, whoever may read it. */
export const load = (db: Queryable, id: string) =>
  db.first<Interaction>(
    sql`SELECT ${facts}, c.version, c.state, v.content FROM interactions i ${current(sql`i`)} WHERE i.id = ${id}`,
  );

const said = sql`i.kind, v.content->>'summary' AS summary, v.content->>'occurredAt' AS "occurredAt", i.context, i.visibility, v.content->'provenance' AS provenance,
  v.content->'evidenceIds' AS "evidenceIds", jsonb_array_length(v.content->'evidenceIds') AS "evidenceCount"`;

/** But for what came of cases about it, which interactions know nothing of. */
export type FoundInteraction = Omit<InteractionRow, 'finding'>;

const select = (db: Queryable, from: Sql) =>
  db.rows<FoundInteraction>(sql`SELECT i.id, c.version, c.state, i.subject_id AS "subjectId", i.author_id AS "authorId", a.handle AS "authorHandle", ${said},
      json_build_object('agent', CASE WHEN s.agent_id IS NOT NULL THEN json_build_object('id', g.id, 'handle', g.handle) END,
        'subject', CASE WHEN s.agent_id IS NULL THEN json_build_object('type', s.type, 'value', s.value) END) AS target,
      i.created_at AS "createdAt", c.updated_at AS "updatedAt", c.receipt_id AS "receiptId"
    FROM ${from} i ${current(sql`i`)} JOIN agents a ON a.id = i.author_id JOIN subjects s ON s.id = i.subject_id LEFT JOIN agents g ON g.id = s.agent_id
    ORDER BY i.created_at DESC, i.id DESC`);

/** An interaction that the reader may read. */
export const find = async (
  db: Queryable,
  id: string,
  reader: string | null,
): Promise<FoundInteraction | undefined> =>
  (
    await select(
      db,
      sql`(SELECT * FROM interactions i WHERE i.id = ${id} AND ${readableInteraction(reader)})`,
    )
  )[0];

export interface Filters {
  readonly target: Sql | null;
  readonly author: Sql | null;
  readonly subjectId: string | null;
  readonly kind: string | null;
  readonly context: string | null;
}

/**
 * What the reader may read, newest first; of filters only those that are set are in the statement, so that it runs by index. What is public and what is private is
 * looked for apart: most are private, and nobody shall wait for those of others to be passed over.
 */
export function list(
  db: Queryable,
  { target, author, subjectId, kind, context }: Filters,
  reader: string | null,
  offset: number,
  limit: number,
) {
  const conditions = [
    readableInteraction(reader),
    ...(target ? [sql`i.subject_id = ${target}`] : []),
    ...(author ? [sql`i.author_id = ${author}`] : []),
    ...(subjectId === null ? [] : [sql`i.subject_id = ${subjectId}`]),
    ...(kind === null ? [] : [sql`i.kind = ${kind}`]),
    ...(context === null ? [] : [sql`i.context = ${context}`]),
  ];
  const newest = sql`ORDER BY i.created_at DESC, i.id DESC`;
  const first = (part: Sql) =>
    sql`(SELECT * FROM interactions i WHERE ${join([part, ...conditions], ' AND ')} ${newest} LIMIT ${offset + limit})`;
  const own = [
    sql`i.visibility = 'private' AND i.author_id = ${reader}`,
    sql`i.visibility = 'private' AND i.subject_id = ${reader}`,
  ];
  const parts = [sql`i.visibility = 'public'`, ...(reader === null ? [] : own)].map(first);
  return select(
    db,
    sql`(SELECT * FROM (${join(parts, ' UNION ALL ')}) i ${newest} LIMIT ${limit} OFFSET ${offset})`,
  );
}

/** Every version, the first one first. */
export const listRevisions = async (db: Queryable, id: string) =>
  (await revisionsOf<InteractionContent, InteractionState>(db, [id]))(id);

export interface NewEvidence {
  readonly id: string;
  readonly aboutId: string;
  readonly submittedBy: string;
  readonly createdAt: string;
}

export const insertEvidence = (tx: Transaction, e: NewEvidence): void =>
  tx.send(
    sql`INSERT INTO evidence (id, about_id, submitted_by, created_at) VALUES (${e.id}, ${e.aboutId}, ${e.submittedBy}, ${e.createdAt})`,
  );

/** Evidence of an interaction, the oldest first. */
export const listEvidence = (db: Queryable, aboutId: string) =>
  db.rows<Evidence>(sql`SELECT e.id, e.about_id AS "interactionId", c.version, c.state, v.content->>'kind' AS kind, v.content->>'url' AS url,
      v.content->>'messageId' AS "messageId", v.content->>'fileId' AS "fileId", v.content->>'receiptId' AS "receiptId", v.content->>'text' AS text,
      v.content->>'sha256' AS sha256, v.content->>'note' AS note, e.submitted_by AS "submittedBy", a.handle AS "submittedByHandle",
      e.created_at AS "createdAt", c.updated_at AS "updatedAt"
    FROM evidence e ${current(sql`e`)} JOIN agents a ON a.id = e.submitted_by WHERE e.about_id = ${aboutId} ORDER BY e.id`);

/** The same as their versions say it, about any record: what a case freezes. */
export const listPieces = (db: Queryable, aboutId: string) =>
  db.rows<{
    id: string;
    version: number;
    state: EvidenceState;
    content: EvidenceContent;
    submittedBy: string;
  }>(sql`SELECT e.id, c.version, c.state, v.content,
      e.submitted_by AS "submittedBy" FROM evidence e ${current(sql`e`)} WHERE e.about_id = ${aboutId} ORDER BY e.id`);

/** Evidence that an agent submitted, withdrawn or not. */
export const countEvidence = async (
  db: Queryable,
  aboutId: string,
  submittedBy: string,
): Promise<number> =>
  (
    await db.first<{ count: number }>(
      sql`SELECT count(*) AS count FROM evidence WHERE about_id = ${aboutId} AND submitted_by = ${submittedBy}`,
    )
  )?.count ?? 0;

/** A piece of evidence, with what decides about the interaction that it belongs to. */
export const loadEvidence = (db: Queryable, id: string) =>
  db.first<
    Pick<Interaction, 'visibility' | 'authorId' | 'subjectId'> & {
      readonly aboutId: string;
      readonly submittedBy: string;
      readonly version: number;
      readonly state: EvidenceState;
      readonly content: EvidenceContent;
    }
  >(sql`SELECT ${facts}, e.about_id AS "aboutId", e.submitted_by AS "submittedBy", c.version, c.state, v.content
    FROM evidence e ${current(sql`e`)} JOIN interactions i ON i.id = e.about_id WHERE e.id = ${id}`);
