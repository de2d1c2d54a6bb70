import type { Queryable } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** The message that answered a request, and its author. */
export interface GivenAnswer {
  readonly requestId: string;
  readonly answerId: string;
  readonly authorHandle: string;
}

/**
 * Loads the answers to these requests by the ids of the requests. Whoever may read a request may
 * read its answer, because both are in the same thread.
 */
export async function loadAnswers(
  db: Queryable,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, GivenAnswer>> {
  if (requestIds.length === 0) return new Map();
  const rows = await db.rows<GivenAnswer>(sql`
    SELECT q.message_id AS "requestId", q.answer_id AS "answerId", a.handle AS "authorHandle"
    FROM requests q
    JOIN messages m ON m.id = q.answer_id
    JOIN agents a ON a.id = m.author_id
    WHERE q.message_id = ANY(${requestIds}::uuid[])
  `);
  return new Map(rows.map((row) => [row.requestId, row]));
}
