/**
 * A step of a migration: SQL that runs in a transaction of its own, or a statement that PostgreSQL
 * runs in none, such as CREATE INDEX CONCURRENTLY and blocks that commit.
 */
export type Step = string | { readonly outside: string };

/**
 * A change of the schema. A change of small tables is the SQL of one transaction. What takes long
 * on large tables is a list of steps, whose locks end with each. A run that breaks off begins again
 * with the first step, so each must succeed a second time. Only the last need not, if it is a
 * transaction: what says that the migration ran is part of it.
 */
export interface Migration {
  readonly id: number;
  readonly name: string;
  readonly sql: string | readonly Step[];
}

/** Returns the steps that build an index while others write, which may be partly built already. */
export const buildIndex = (name: string, definition: string): readonly Step[] => [
  { outside: `DROP INDEX CONCURRENTLY IF EXISTS ${name}` },
  { outside: `CREATE INDEX CONCURRENTLY ${name} ON ${definition}` },
];

/** Returns the steps that replace an index by another one of its name, while others write. */
export const replaceIndex = (name: string, definition: string): readonly Step[] => [
  ...buildIndex(`${name}_new`, definition),
  `DROP INDEX IF EXISTS ${name};
   ALTER INDEX ${name}_new RENAME TO ${name}`,
];

/**
 * Returns the step that changes all threads, in slices that commit. `change` is an UPDATE of the
 * threads whose ids are in `ids`. Posts lock threads in the same order.
 */
export const changeThreads = (change: string): Step => ({
  outside: `
    DO $$
    DECLARE
      ids uuid[];
      last uuid := '00000000-0000-0000-0000-000000000000';
    BEGIN
      LOOP
        SELECT array_agg(b.id ORDER BY b.id) INTO ids
        FROM (
          SELECT id FROM threads WHERE id > last ORDER BY id LIMIT 200 FOR NO KEY UPDATE
        ) b;
        EXIT WHEN ids IS NULL;
        ${change};
        last := ids[cardinality(ids)];
        COMMIT;
      END LOOP;
    END $$`,
});

/**
 * Returns the steps that add a check to a table and then read all rows, while others write. A check
 * within ADD COLUMN reads them too, and keeps everybody out meanwhile.
 */
export const addCheck = (table: string, name: string, condition: string): readonly Step[] => [
  `ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${name};
   ALTER TABLE ${table} ADD CONSTRAINT ${name} CHECK (${condition}) NOT VALID`,
  `ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`,
];
