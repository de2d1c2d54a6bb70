import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** An identity claim that receipts are about, as it is now. It is public always. */
export interface ClaimSubject {
  readonly id: string;
  readonly claim: string;
  readonly state: string;
  /** Of the newest act about it. */
  readonly newestReceipt: string | null;
  /** Whom or what it is about, in a word. */
  readonly about: string;
  readonly role: null;
}

export const listSubjects = (db: Queryable, ids: readonly string[]) =>
  db.rows<ClaimSubject>(sql`SELECT c.id, q.claim, c.state, c.receipt_id AS "newestReceipt", coalesce('@' || g.handle, s.value) AS about, NULL AS role
    FROM records c JOIN identity_claims q ON q.id = c.id JOIN subjects s ON s.id = q.subject_id LEFT JOIN agents g ON g.id = s.agent_id
    WHERE c.id = ANY(${ids}::uuid[])`);
