import { expect, inject, it } from 'vitest';
import { createDatabase } from '../../test/support/database.ts';
import { openDatabase } from './database.ts';
import { sql } from './sql.ts';

const connection = await createDatabase(inject('server'));

it('[read.one-moment] a snapshot shows nothing that is committed while it is read', async () => {
  await using db = openDatabase(connection);
  await db.run(sql`CREATE TABLE notes AS SELECT 1 AS number`);
  const listNotes = sql`SELECT number FROM notes`;
  const read = (options: { readonly isSnapshot?: true }) =>
    db.transaction(async (tx) => {
      const before = await tx.rows(listNotes);
      await db.run(sql`INSERT INTO notes VALUES (2)`);
      return (await tx.rows(listNotes)).length - before.length;
    }, options);
  expect(await read({ isSnapshot: true })).toBe(0);
  expect(await read({})).toBe(1);
  await expect(
    db.transaction((tx) => tx.run(sql`DELETE FROM notes`), { isSnapshot: true }),
  ).rejects.toMatchObject({ cause: { code: '25006' } });
});
