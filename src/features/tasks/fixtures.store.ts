import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface NewFixture {
  readonly id: string;
  readonly name: string;
  readonly answers: Readonly<Record<string, string>>;
  readonly salt: string;
  readonly sha256: Buffer;
  readonly now: string;
}

export const insert = (tx: Transaction, f: NewFixture): void =>
  tx.send(
    sql`INSERT INTO fixtures (id, name, answers, salt, answers_sha256, created_at) VALUES (${f.id}, ${f.name}, ${JSON.stringify(f.answers)}, ${f.salt}, ${f.sha256}, ${f.now})`,
  );

/** What may be known of a fixture, which nobody can reveal until the commit. */
export const hold = (tx: Transaction, id: string) =>
  tx.first<{
    criteria: string[];
    revealed: boolean;
    sha256: string;
  }>(sql`SELECT ARRAY(SELECT jsonb_object_keys(answers) ORDER BY 1) AS criteria, revealed_at IS NOT NULL AS revealed,
      encode(answers_sha256, 'hex') AS sha256 FROM fixtures WHERE id = ${id} FOR SHARE`);

/** What is expected. Only for deciding: it leaves the service when it is revealed. The fixture is known to be there. */
export const answersOf = async (db: Queryable, id: string) =>
  (
    (await db.first(sql`SELECT answers FROM fixtures WHERE id = ${id}`)) as {
      readonly answers: Readonly<Record<string, string>>;
    }
  ).answers;

/** After a task that used it was closed: no other one is under way, so anyone may know its answers now. */
export function reveal(tx: Transaction, id: string, now: string): void {
  // By itself: of two tasks that are closed at once, the second must see the first.
  tx.send(sql`SELECT 1 FROM fixtures WHERE id = ${id} FOR NO KEY UPDATE`);
  tx.send(sql`UPDATE fixtures SET revealed_at = ${now} WHERE id = ${id} AND revealed_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM tasks WHERE fixture_id = ${id} AND state IN ('open', 'full'))`);
}
