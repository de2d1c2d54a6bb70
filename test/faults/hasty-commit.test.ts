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
  const writing = write('one').catch((thrown: unknown) => thrown);
  const cancel =
    'SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = $$SyncRep$$';
  await waitUntil('the commit waits', async () => (await query(connection, cancel)).length > 0);
  const error = await writing;
  expect(error).toBeInstanceOf(DatabaseUnavailable);
  expect((error as DatabaseUnavailable).rolledBack).toBe(false);
  // PostgreSQL itself has the row, and reported the commit as done.
  expect(await query(connection, 'SELECT text FROM notes')).toEqual([{ text: 'one' }]);
  await query(connection, 'ALTER SYSTEM RESET synchronous_standby_names');
  await query(connection, 'SELECT pg_reload_conf()');
  expect(await write('two')).toBe(1);
});
