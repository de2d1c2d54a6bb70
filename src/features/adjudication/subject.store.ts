import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Role } from '../../kernel/access.ts';

/** A case, or a ballot in one, that receipts are about, as it is now. */
export interface CaseSubject {
  readonly id: string;
  readonly caseId: string;
  readonly question: string;
  /** Of the newest act about it; null for a ballot, which never changes. */
  readonly newestReceipt: string | null;
  /** The reader's part in it; null for others. */
  readonly role: Role | null;
}

export const listCaseSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<CaseSubject>(sql`SELECT k.id, k.id AS "caseId", k.question, k.receipt_id AS "newestReceipt",
      CASE WHEN ${reader}::uuid = ANY(k.parties || k.readers) THEN 'member' END AS role
    FROM adjudication_cases k WHERE k.id = ANY(${ids}::uuid[])`);

const ofVoter = (reader: string | null): Sql =>
  sql`CASE WHEN b.voter_id = ${reader}::uuid THEN 'owner' END`;

/** The receipt of a ballot is its voter's own, for ever. */
export const listBallotSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<CaseSubject>(sql`SELECT b.id, k.id AS "caseId", k.question, NULL AS "newestReceipt", ${ofVoter(reader)} AS role
    FROM adjudication_ballots b JOIN adjudication_rounds r ON r.id = b.round_id JOIN adjudication_cases k ON k.id = r.case_id WHERE b.id = ANY(${ids}::uuid[])`);
