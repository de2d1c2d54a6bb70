import { type Sql, sql } from '../../../src/db/sql.ts';
import type { CaseSetup } from '../../operations/operation-case.ts';

/**
 * Brings a record to its 200th version, the last that it may have. Through the interface that takes
 * too long.
 */
export async function raiseVersion({ app }: CaseSetup, id: string): Promise<void> {
  const statements: Sql[] = [
    sql`
      INSERT INTO record_revisions
      SELECT record_id, 200, author_id, state, content, receipt_id, at
      FROM record_revisions
      WHERE record_id = ${id} AND version = 1
    `,
    sql`UPDATE records SET version = 200 WHERE id = ${id}`,
  ];
  for (const statement of statements) await app.app.env.db.run(statement);
}
