import type { Queryable, Transaction } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { type CaseFacts, readableCase, type Visibility } from '../../kernel/access.ts';
import type { NewId } from '../../kernel/ids.ts';
import type { Writing } from '../../kernel/operation/spec.ts';
import type { Round } from './rounds.schemas.ts';
import {
  type Criterion,
  digestOfDocument,
  type Frozen,
  type FrozenEvidence,
  type FrozenSubject,
  freeze,
  type Result,
  type SubjectKind,
  type TaskCase,
} from './rules.ts';
import type { CaseRow } from './schemas.ts';
import type { CaseState } from './transitions.ts';

/** What an opening needs of the context of its operation. */
export type Acting = Pick<Writing, 'tx' | 'record'> & {
  readonly newId: NewId;
  readonly now: string;
};

/** A round that opens, as whoever opens it says it. */
export interface Opening {
  /** Null: it opens by itself. */
  readonly openedBy: string | null;
  readonly visibility: Visibility;
  readonly subject: FrozenSubject;
  readonly question: string;
  readonly rubric: readonly Criterion[];
  readonly evidence: readonly FrozenEvidence[];
  /** Who does not vote; who did the work, or said what is judged, is the first. */
  readonly parties: readonly string[];
  /** Who may read a private case besides the parties. */
  readonly readers: readonly string[];
}

/** Freezes what is judged, and records that it opened. */
function openRound(
  { record, newId, now }: Acting,
  caseId: string,
  round: number,
  reason: string | null,
  opening: Opening,
) {
  const { openedBy, visibility, subject, question, rubric, evidence, parties, readers } = opening;
  const frozen = freeze({
    caseId,
    round,
    subject,
    question,
    rubric,
    evidence,
    parties,
    openedBy,
    reason,
    opensAt: now,
  });
  const digest = digestOfDocument(frozen);
  const receiptId = record({
    ...{
      kind: 'case.opened',
      visibility,
      actorId: openedBy,
      subject: { type: 'case', id: caseId },
      contentSha256: digest,
    },
    concerns: [...parties, ...readers],
  });
  const row = sql`INSERT INTO adjudication_rounds (id, case_id, number, state, parties, frozen, frozen_sha256, opened_receipt_id, opens_at, closes_at)
    VALUES (${newId()}, ${caseId}, ${round}, 'open', ${frozen.parties}::uuid[], ${JSON.stringify(frozen)}, ${digest}, ${receiptId}, ${now}, ${frozen.closesAt})`;
  return { receiptId, row };
}

/** Opens a case with its first round; returns its id. Errors: those of adjudication_cases_one_open, when one is open already. */
export function insertCase(acting: Acting, opening: Opening): string {
  const { tx, newId, now } = acting;
  const { openedBy, visibility, subject, question, rubric, parties, readers } = opening;
  const caseId = newId();
  const { receiptId, row } = openRound(acting, caseId, 1, null, opening);
  tx.send(sql`INSERT INTO adjudication_cases (id, subject_kind, subject_id, state, version, question, rubric, visibility, opened_by, parties, readers, receipt_id,
      created_at, updated_at)
    VALUES (${caseId}, ${subject.type}, ${subject.id}, 'open', 1, ${question}, ${JSON.stringify(rubric)}, ${visibility}, ${openedBy}, ${[...new Set(parties)]}::uuid[],
      ${readers}::uuid[], ${receiptId}, ${now}, ${now})`);
  tx.send(row);
  return caseId;
}

/** Opens the next round of a closed case, which is held; the one before is superseded. */
export function insertRound(
  acting: Acting,
  { id, round }: { readonly id: string; readonly round: number },
  reason: string,
  opening: Opening,
): void {
  const { tx, now } = acting;
  const { receiptId, row } = openRound(acting, id, round + 1, reason, opening);
  tx.send(
    sql`UPDATE adjudication_rounds SET state = 'superseded' WHERE case_id = ${id} AND number = ${round}`,
  );
  tx.send(row);
  tx.send(sql`UPDATE adjudication_cases SET state = 'open', version = version + 1, parties = ${[...new Set(opening.parties)]}::uuid[], receipt_id = ${receiptId},
    updated_at = greatest(updated_at, ${now}::timestamptz) WHERE id = ${id}`);
}

/**
 * Opens the case of a submission by itself, in the transaction of the operation that submits it: without an opener, with submitter and owner as
 * its parties. It closes 72 hours later by itself. Once for each submission; later rounds open with new evidence. Returns the id of the case.
 */
export const openTaskCase = (
  acting: Acting,
  { submission, submitterId, ownerId, ...rest }: TaskCase,
): string =>
  insertCase(acting, {
    ...rest,
    openedBy: null,
    subject: { type: 'task_submission', ...submission },
    parties: [submitterId, ownerId],
  });

/** What a closed round about a submission came to. */
export interface Decision {
  readonly submissionId: string;
  readonly caseId: string;
  readonly round: number;
  /** Mind the third: inconclusive decides nothing, and a later round may. */
  readonly result: Result;
  readonly closedAt: string;
}

/** Of these submissions those about which a round closed, each with its earliest result that decides, or else its newest: what is settled is not undone. */
export const decisionsOf = (db: Queryable, submissionIds: readonly string[]) =>
  db.rows<Decision>(sql`SELECT DISTINCT ON (k.subject_id) k.subject_id AS "submissionId", k.id AS "caseId", r.number AS round, r.result, r.closed_at AS "closedAt"
    FROM adjudication_cases k JOIN adjudication_rounds r ON r.case_id = k.id AND r.result IS NOT NULL
    WHERE k.subject_id = ANY(${submissionIds}::uuid[]) AND k.subject_kind = 'task_submission'
    ORDER BY k.subject_id, r.result = 'inconclusive', CASE r.result WHEN 'inconclusive' THEN -r.number ELSE r.number END`);

/** Results of the newest closed rounds about these interactions, by their ids. */
export async function findingsOf(
  db: Queryable,
  interactionIds: readonly string[],
): Promise<ReadonlyMap<string, Result>> {
  if (interactionIds.length === 0) return new Map();
  const rows = await db.rows<{
    id: string;
    result: Result;
  }>(sql`SELECT DISTINCT ON (k.subject_id) k.subject_id AS id, r.result
    FROM adjudication_cases k JOIN adjudication_rounds r ON r.case_id = k.id AND r.result IS NOT NULL
    WHERE k.subject_id = ANY(${interactionIds}::uuid[]) AND k.subject_kind = 'interaction' ORDER BY k.subject_id, r.closed_at DESC, r.id DESC`);
  return new Map(rows.map(({ id, result }) => [id, result]));
}

/** Cases about an interaction, the newest first; `result`: of the newest round that has one. */
export const listAbout = (db: Queryable, interactionId: string) =>
  db.rows<{
    id: string;
    state: CaseState;
    result: Result | null;
    openedAt: string;
    closesAt: string;
  }>(sql`SELECT k.id, k.state, k.result,
      k.created_at AS "openedAt", r.closes_at AS "closesAt"
    FROM adjudication_cases k JOIN adjudication_rounds r ON r.case_id = k.id AND r.state <> 'superseded'
    WHERE k.subject_id = ${interactionId} AND k.subject_kind = 'interaction' ORDER BY k.created_at DESC, k.id DESC`);

/** A case as it is now, with what decides about it, whoever may read it. */
export interface Case extends CaseFacts {
  readonly id: string;
  readonly version: number;
  readonly state: CaseState;
  readonly subjectKind: SubjectKind;
  readonly subjectId: string;
  readonly question: string;
  readonly rubric: readonly Criterion[];
}

const facts = sql`k.id, k.version, k.state, k.subject_kind AS "subjectKind", k.subject_id AS "subjectId", k.question, k.rubric, k.visibility, k.parties, k.readers`;

export const load = (db: Queryable, id: string) =>
  db.first<Case>(sql`SELECT ${facts} FROM adjudication_cases k WHERE k.id = ${id}`);

/** The same, held until the commit. */
export const lock = (tx: Transaction, id: string) =>
  tx.first<Case>(
    sql`SELECT ${facts} FROM adjudication_cases k WHERE k.id = ${id} FOR NO KEY UPDATE`,
  );

/** The case about a subject that is open now: there is one at most, and it need not be the newest. */
export const findOpen = (db: Queryable, kind: SubjectKind, subjectId: string) =>
  db.first<{ id: string }>(
    sql`SELECT k.id FROM adjudication_cases k WHERE k.subject_id = ${subjectId} AND k.subject_kind = ${kind} AND k.state = 'open'`,
  );

/** The newest case about a subject. */
export const newestAbout = (db: Queryable, kind: SubjectKind, subjectId: string) =>
  db.first<Case>(sql`SELECT ${facts} FROM adjudication_cases k WHERE k.subject_id = ${subjectId} AND k.subject_kind = ${kind}
    ORDER BY k.created_at DESC, k.id DESC LIMIT 1`);

/** What each round of a case froze, the first one first. */
export const listFrozen = async (db: Queryable, caseId: string): Promise<Frozen[]> =>
  (
    await db.rows<{ frozen: Frozen }>(
      sql`SELECT frozen FROM adjudication_rounds WHERE case_id = ${caseId} ORDER BY number`,
    )
  ).map(({ frozen }) => frozen);

const select = (db: Queryable, from: Sql) =>
  db.rows<CaseRow>(sql`SELECT k.id, k.version, k.state, json_build_object('type', k.subject_kind, 'id', k.subject_id, 'version', r.frozen#>'{subject,version}') AS subject,
      k.question, k.visibility, k.opened_by AS "openedBy", a.handle AS "openedByHandle", r.number AS round, r.opens_at AS "opensAt", r.closes_at AS "closesAt", k.result,
      k.created_at AS "createdAt", k.updated_at AS "updatedAt", k.receipt_id AS "receiptId"
    FROM ${from} k JOIN adjudication_rounds r ON r.case_id = k.id AND r.state <> 'superseded' LEFT JOIN agents a ON a.id = k.opened_by
    ORDER BY k.created_at DESC, k.id DESC`);

/** A case that the reader may read. */
export const find = async (
  db: Queryable,
  id: string,
  reader: string | null,
): Promise<CaseRow | undefined> =>
  (
    await select(
      db,
      sql`(SELECT * FROM adjudication_cases k WHERE k.id = ${id} AND ${readableCase(reader)})`,
    )
  )[0];

/** What the reader may read, newest first. */
export function list(
  db: Queryable,
  state: CaseState | null,
  reader: string | null,
  offset: number,
  limit: number,
) {
  const inState = state === null ? sql`` : sql`k.state = ${state} AND`;
  return select(
    db,
    sql`(SELECT * FROM adjudication_cases k WHERE ${inState} ${readableCase(reader)} ORDER BY k.created_at DESC, k.id DESC LIMIT ${limit} OFFSET ${offset})`,
  );
}

/** All rounds, the first one first. There is nothing of ballots in an open one. */
export const listRounds = (db: Queryable, caseId: string) =>
  db.rows<Round>(sql`SELECT number, state, frozen, encode(frozen_sha256, 'hex') AS "frozenSha256", opened_receipt_id AS "openedReceiptId", outcome,
      encode(record_sha256, 'hex') AS "recordSha256", closed_receipt_id AS "closedReceiptId"
    FROM adjudication_rounds WHERE case_id = ${caseId} ORDER BY number`);

export const listParties = (db: Queryable, ids: readonly string[]) =>
  db.rows<{ id: string; handle: string }>(
    sql`SELECT id, handle FROM agents WHERE id = ANY(${ids}::uuid[]) ORDER BY id`,
  );
