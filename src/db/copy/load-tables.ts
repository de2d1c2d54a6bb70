import type pg from 'pg';
import { copyIn } from './copy-in.ts';
import type { Session } from './open-session.ts';
import {
  listTables,
  quoteName,
  type StoredSequence,
  type StoredTable,
} from './stored-tables.store.ts';

/** The rows of a table to load, as `COPY` writes them. */
export interface TableRows extends StoredTable {
  read(): AsyncIterable<Uint8Array>;
}

/** What a load puts back: statements that undo what it switched off. */
interface Guards {
  readonly drop: readonly string[];
  readonly putBack: readonly string[];
}

/** Foreign keys of the tables, as statements that drop them and add them again. */
const listForeignKeys = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop,
    format(
      'ALTER TABLE %s ADD CONSTRAINT %I %s',
      conrelid::regclass,
      conname,
      pg_get_constraintdef(oid)
    ) AS "putBack"
  FROM pg_constraint
  WHERE contype = 'f' AND connamespace = 'public'::regnamespace
  ORDER BY conrelid::regclass::text, conname
`;

/** Triggers of the tables, as statements that switch them off and give each the state it has. */
const listTriggers = `
  SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname) AS drop,
    format(
      'ALTER TABLE %s ENABLE %s TRIGGER %I',
      tgrelid::regclass,
      CASE tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' ELSE '' END,
      tgname
    ) AS "putBack"
  FROM pg_trigger t
  JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT t.tgisinternal AND t.tgenabled <> 'D' AND c.relnamespace = 'public'::regnamespace
  ORDER BY tgrelid::regclass::text, tgname
`;

async function listGuards(client: pg.Client): Promise<Guards> {
  const found: { drop: string; putBack: string }[] = [];
  for (const query of [listForeignKeys, listTriggers])
    found.push(...(await client.query<{ drop: string; putBack: string }>(query)).rows);
  return {
    drop: found.map(({ drop }) => drop),
    putBack: found.map(({ putBack }) => putBack),
  };
}

const runAll = async (client: pg.Client, statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await client.query(statement);
};

/**
 * Deletes what migrations put into a table. From some tables not even their owner may delete, but
 * the owner may allow it; the transaction takes that back.
 */
async function empty(client: pg.Client, { name }: StoredTable): Promise<void> {
  const table = quoteName(name);
  const found = await client.query<{ may: boolean }>(
    `SELECT has_table_privilege($1, 'DELETE') AS may FROM ${table} LIMIT 1`,
    [table],
  );
  const may = found.rows[0]?.may;
  if (may === undefined) return;
  const before = may ? [] : [`GRANT DELETE ON ${table} TO CURRENT_USER`];
  const after = may ? [] : [`REVOKE DELETE ON ${table} FROM CURRENT_USER`];
  await runAll(client, [...before, `DELETE FROM ${table}`, ...after]);
}

/**
 * Replaces everything in the database by these rows, in the transaction that is open. Triggers and
 * foreign keys are out of force meanwhile; adding the keys again checks every reference. The
 * session is that of the owner of the tables, who needs no superuser for this.
 * Errors: Error when the tables are not those of the database.
 */
export async function loadTables(
  { client, db }: Session,
  tables: readonly TableRows[],
  sequences: readonly StoredSequence[],
): Promise<void> {
  const known = await listTables(db);
  const format = (all: readonly StoredTable[]) =>
    all.map(({ name, columns }) => `${name} (${[...columns].sort().join(', ')})`).sort();
  const difference = format(known).find((table, nr) => table !== format(tables)[nr]);
  if (known.length !== tables.length || difference !== undefined)
    throw new Error(`The backup has other tables than its migrations make: ${difference}`);
  const guards = await listGuards(client);
  await runAll(client, guards.drop);
  for (const table of known) await empty(client, table);
  for (const { name, columns, read } of tables)
    await copyIn(
      client,
      `COPY ${quoteName(name)} (${columns.map(quoteName).join(', ')}) FROM STDIN`,
      read(),
    );
  for (const { name, last } of sequences)
    if (last !== null)
      await client.query('SELECT setval($1::regclass, $2)', [quoteName(name), last]);
  await runAll(client, guards.putBack);
}
