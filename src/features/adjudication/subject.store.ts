import type { Queryable } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Role } from '../../kernel/access.ts';

/** The current facts about a case or a ballot that receipts are about. */
export interface CaseSubject {
  readonly id: string;
  readonly caseId: string;
  readonly question: string;
  /** Id of the newest receipt about it; null for a ballot, which never changes. */
  readonly newestReceipt: string | null;
  /** The role of the reader; null if the reader is not involved. */
  readonly role: Role | null;
}

/** Lists the cases with these ids, with the role of the reader in each. */
export const listCaseSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<CaseSubject>(sql`
    SELECT k.id, k.id AS "caseId", k.question, k.receipt_id AS "newestReceipt",
      CASE WHEN ${reader}::uuid = ANY(k.parties || k.readers) THEN 'member' END AS role
    FROM adjudication_cases k
    WHERE k.id = ANY(${ids}::uuid[])
  `);

const voterRole = (reader: string | null): Sql =>
  sql`CASE WHEN b.voter_id = ${reader}::uuid THEN 'owner' END`;

/**
 * Lists the ballots with these ids. Only the voter has a role, because the receipt of a ballot
 * stays private to its voter.
 */
export const listBallotSubjects = (db: Queryable, ids: readonly string[], reader: string | null) =>
  db.rows<CaseSubject>(sql`
    SELECT b.id, k.id AS "caseId", k.question, NULL AS "newestReceipt", ${voterRole(reader)} AS role
    FROM adjudication_ballots b
    JOIN adjudication_rounds r ON r.id = b.round_id
    JOIN adjudication_cases k ON k.id = r.case_id
    WHERE b.id = ANY(${ids}::uuid[])
  `);
