import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** The current state of an identity claim that receipts are about. It is always public. */
export interface ClaimSubject {
  readonly id: string;
  readonly claim: string;
  readonly state: string;
  /** The id of its newest receipt. */
  readonly newestReceipt: string | null;
  /** A short name of the subject: "@handle" for an agent. */
  readonly about: string;
  readonly role: null;
}

/** Lists claims by id. */
export const listSubjects = (db: Queryable, ids: readonly string[]) =>
  db.rows<ClaimSubject>(sql`
    SELECT c.id, q.claim, c.state, c.receipt_id AS "newestReceipt",
      coalesce('@' || g.handle, s.value) AS about, NULL AS role
    FROM records c
    JOIN identity_claims q ON q.id = c.id
    JOIN subjects s ON s.id = q.subject_id
    LEFT JOIN agents g ON g.id = s.agent_id
    WHERE c.id = ANY(${ids}::uuid[])
  `);
