import { afterAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { DatabaseUnavailable } from '../../src/db/database-errors.ts';
import { sql } from '../../src/db/sql.ts';
import { cleanAll, createFolder, query, startServer } from '../support/embedded-testbed.ts';
import { waitUntil } from '../support/factories.ts';

afterAll(cleanAll);

it('[db.hasty-commit] a commit that no standby has is not acknowledged', async () => {
  const { connection } = await startServer({ dataDir: await createFolder() });
  await query(connection, 'CREATE TABLE notes (text text)');
  await query(connection, "ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
  await query(connection, 'SELECT pg_reload_conf()');
  await using db = openDatabase(connection, { connections: 2 });
  const write = (text: string) =>
    db.transaction(async (tx) => tx.run(sql`INSERT INTO notes VALUES (${text})`));
  const cancel =
    'SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = $$SyncRep$$';
  let error: unknown = null;
  const texts: string[] = [];
  // The server has read its new settings when a commit waits for the first time.
  while (error === null) {
    let isOver = false;
    texts.push(`text ${texts.length}`);
    const writing = write(texts.at(-1) ?? '')
      .then(
        () => null,
        (thrown: unknown) => thrown,
      )
      .finally(() => {
        isOver = true;
      });
    await waitUntil('the commit ends', async () => {
      await query(connection, cancel);
      return isOver;
    });
    error = await writing;
  }
  expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect((error as DatabaseUnavailable).rolledBack).toBe(false);
  // PostgreSQL itself has the row, and reported the commit as done.
  expect(await query(connection, 'SELECT text FROM notes ORDER BY text')).toEqual(
    texts.map((text) => ({ text })),
  );
  await query(connection, 'ALTER SYSTEM RESET synchronous_standby_names');
  await query(connection, 'SELECT pg_reload_conf()');
  expect(await write('two')).toBe(1);
});
