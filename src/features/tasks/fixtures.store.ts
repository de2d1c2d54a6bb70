import type { Queryable, Transaction } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** A fixture to insert. */
export interface NewFixture {
  readonly id: string;
  readonly name: string;
  /** Expected answers by criterion id. */
  readonly answers: Readonly<Record<string, string>>;
  readonly salt: string;
  readonly sha256: Buffer;
  readonly now: string;
}

/** Inserts a fixture. */
export const insert = (tx: Transaction, f: NewFixture): void =>
  tx.send(sql`
    INSERT INTO fixtures (id, name, answers, salt, answers_sha256, created_at)
    VALUES (${f.id}, ${f.name}, ${JSON.stringify(f.answers)}, ${f.salt}, ${f.sha256}, ${f.now})
  `);

/** Returns what may be known of a fixture, and prevents that it is revealed before the commit. */
export const lockForShare = (tx: Transaction, id: string) =>
  tx.first<{ criteria: string[]; revealed: boolean; sha256: string }>(sql`
    SELECT ARRAY(SELECT jsonb_object_keys(answers) ORDER BY 1) AS criteria,
      revealed_at IS NOT NULL AS revealed, encode(answers_sha256, 'hex') AS sha256
    FROM fixtures
    WHERE id = ${id}
    FOR SHARE
  `);

/**
 * Returns the expected answers of an existing fixture by criterion id. They are only for deciding:
 * nobody may read them before the fixture is revealed.
 */
export async function getAnswers(db: Queryable, id: string): Promise<NewFixture['answers']> {
  const fixture = await db.first<Pick<NewFixture, 'answers'>>(
    sql`SELECT answers FROM fixtures WHERE id = ${id}`,
  );
  if (!fixture) throw new Error(`The fixture ${id} is missing.`);
  return fixture.answers;
}

/** Reveals a fixture after one of its tasks was closed, unless another task still uses it. */
export function reveal(tx: Transaction, id: string, now: string): void {
  // The lock is a statement of its own: of two tasks that close at once, the second must see the
  // first.
  tx.send(sql`
    SELECT 1
    FROM fixtures
    WHERE id = ${id}
    FOR NO KEY UPDATE
  `);
  tx.send(sql`
    UPDATE fixtures
    SET revealed_at = ${now}
    WHERE id = ${id}
      AND revealed_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM tasks WHERE fixture_id = ${id} AND state IN ('open', 'full'))
  `);
}
